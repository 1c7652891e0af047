// SPDX-License-Identifier: MIT

import BlueCap
import Logging

extension PeripheralManager.Configuration {
    /// The tool's own: quiet unless asked, since what matters is reported as results and errors.
    static func tool(clock: BlueCapClock, isVerbose: Bool = false) -> Self {
        var configuration = Self(clock: clock)
        configuration.logger.logLevel = isVerbose ? .debug : .error
        return configuration
    }
}

extension PeripheralManager {
    /// Waits for the radio.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` or ``ToolStatus/notAuthorized``, and what to do about
    ///   it.
    nonisolated func requireRadio() async throws {
        do throws(PeripheralManagerError) {
            try await whenPoweredOn(timeout: .seconds(5))
        } catch {
            switch error {
            case .cancelled, .invalidated: throw error
            case .unauthorized: throw CommandFailure(.notAuthorized, error.description)
            case .powerOnTimeout where state == .poweredOff:
                throw CommandFailure(.noRadio, "Bluetooth is off: switch it on ('bluetoothctl power on')")
            case .powerOnTimeout:
                throw CommandFailure(
                    .noRadio,
                    "no Bluetooth adapter was ready within 5 s (state: \(state)): plug one in, or start bluetoothd")
            default:
                let status = ToolStatus.status(for: error)
                throw CommandFailure(status == .notAuthorized ? status : .noRadio, error.description)
            }
        }
    }

    /// Runs `body` until it ends, the time is up or the task is cancelled; takes back services and advertisements in
    /// any case.
    nonisolated func serve(
        for duration: Duration?, on clock: BlueCapClock, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body() }
                if let duration {
                    group.addTask { try? await clock.sleep(for: duration) }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // In a task of its own, since this one may be cancelled already; on the manager's executor, so that no
        // simulated time passes meanwhile.
        await Task(executorPreference: executor) {
            try? await self.stopAdvertising(timeout: .seconds(5))
            try? await self.removeAllServices(timeout: .seconds(5))
            await self.invalidate()
        }.value
        if Task.isCancelled { return }
        try result.get()
    }

    /// Waits until something that was offered or advertised is not any more, and tells of the radio's states meanwhile.
    ///
    /// - Throws: The reason.
    nonisolated func watch(_ report: @escaping @Sendable (ManagerState) throws -> Void) async throws {
        let (failures, states) = (registrationFailures(), states())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await failure in failures { throw failure.error }
            }
            group.addTask {
                // The first is that which was waited for.
                for await state in states.dropFirst() { try report(state) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
