// SPDX-License-Identifier: MIT

import BlueCap
import Logging

extension PeripheralManager.Configuration {
    /// The tool's own.
    static func tool(clock: BlueCapClock, isVerbose: Bool = false) -> Self {
        var configuration = Self(clock: clock)
        configuration.logger = configuration.logger.ofTool(isVerbose: isVerbose)
        return configuration
    }
}

extension PeripheralManager {
    /// Waits for the radio.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` or ``ToolStatus/notAuthorized``, with advice.
    nonisolated func requireRadio() async throws {
        do throws(PeripheralManagerError) {
            try await whenPoweredOn(timeout: .seconds(5))
        } catch {
            if error == .cancelled || error == .invalidated { throw error }
            throw CommandFailure(noRadio: error, isTimeout: error == .powerOnTimeout, state)
        }
    }

    /// Runs `body` until it ends, the time is up or the task is cancelled; then removes services and advertisements.
    ///
    /// - Parameters:
    ///   - duration: How long; nil for no end.
    ///   - clock: The clock of the duration.
    ///   - isKept: Whether an error of `body` leaves services and advertisements as they are.
    ///   - body: The work to do meanwhile.
    nonisolated func serve(
        for duration: Duration?, on clock: BlueCapClock, unless isKept: (any Error) -> Bool = { _ in false },
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let result: Result<Void, any Error>
        do {
            try await Race.run(for: duration, on: clock, body)
            result = .success(())
        } catch {
            if isKept(error) { throw error }
            result = .failure(error)
        }
        await OrderlyEnd.of(self)
        if Task.isCancelled { return }
        try result.get()
    }

    /// Waits until a service or an advertisement is lost, and reports the radio's states meanwhile.
    ///
    /// - Throws: The reason.
    nonisolated func watch(
        _ failures: AsyncStream<RegistrationFailure>? = nil,
        _ report: @escaping @Sendable (ManagerState) throws -> Void
    ) async throws {
        let (failures, states) = (failures ?? registrationFailures(), states())
        // The first state is that which was waited for.
        try await Race.run(
            { for await failure in failures { throw failure.error } },
            { for await state in states.dropFirst() { try report(state) } })
    }
}
