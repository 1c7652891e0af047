// SPDX-License-Identifier: MIT

/// Waiting until the platform has a service or an advertisement, or has removed it.
extension PeripheralManager {
    /// Waits until it is there. The last caller that gives up takes it back.
    func waitUntilPresent(
        _ id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        do throws(PeripheralManagerError) {
            try await wait(for: .present, of: id, timeout: timeout, timeoutError: timeoutError)
        } catch {
            registrations.withdrawIfUnawaited(id, self)
            throw error
        }
    }

    func waitUntilAbsent(
        _ id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        // Without the radio there is nothing to wait for: the removal is requested when the radio is back.
        if registrations[id] == nil || state != .poweredOn { return }
        try await wait(for: .absent, of: id, timeout: timeout, timeoutError: timeoutError)
    }

    func wait(
        for goal: RegistrationGoal, of id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        let number = makeNumber()
        let error: PeripheralManagerError? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                registrations.wait(number, for: goal, of: id, timeout: timeout, timeoutError: timeoutError, self) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            later { $0.registrations.resolve(number, of: id, .cancelled, $0) }
        }
        if let error { throw error }
    }

    /// Waits until the platform has removed everything, in a cancelled task too.
    ///
    /// - Parameter end: When to stop waiting, on the manager's clock; nil for never.
    func allAreAbsent(until end: Duration?) async {
        while state == .poweredOn, let registration = registrations.all.last {
            if let end, clock.elapsed >= end { return }
            _ = await becomesAbsent(registration.id, until: end)
        }
    }

    /// Waits until the platform has removed one, in a cancelled task too. Without the radio there is nothing to wait
    /// for.
    ///
    /// - Parameters:
    ///   - id: Which one.
    ///   - end: When to stop waiting, on the manager's clock; nil for never.
    /// - Returns: Whether it is removed.
    func becomesAbsent(_ id: Registration.ID, until end: Duration?) async -> Bool {
        guard state == .poweredOn, registrations[id] != nil else { return true }
        let number = makeNumber()
        return await withCheckedContinuation { continuation in
            let timeout = end.map { $0 - clock.elapsed }
            registrations.wait(number, for: .absent, of: id, timeout: timeout, timeoutError: .cancelled, self) {
                continuation.resume(returning: $0 == nil)
            }
        }
    }
}
