// SPDX-License-Identifier: MIT

import BlueCap

extension CentralManager {
    /// Visits a peripheral on the same virtual radio: runs both until either ends, which cancels the other.
    ///
    /// Both have ended when this returns or throws, and the manager is invalidated.
    ///
    /// - Parameters:
    ///   - visit: The work of the central. Its error is ignored if the serving ended first.
    ///   - serve: The work of the peripheral.
    nonisolated func visit(
        _ visit: @escaping @Sendable () async throws -> Void, while serve: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve() }
            group.addTask {
                do {
                    try await visit()
                } catch {
                    await self.invalidate()
                    if !Task.isCancelled { throw error }
                }
                await self.invalidate()
            }
            do {
                try await group.next()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

extension CommandFailure {
    /// The failure of a command that needs a radio and has none: ``ToolStatus/noRadio`` or
    /// ``ToolStatus/notAuthorized``, with advice.
    ///
    /// - Parameters:
    ///   - error: The error of the wait for the radio.
    ///   - isTimeout: Whether it did not come on in time.
    ///   - state: The state in which the radio is.
    init(noRadio error: some BlueCapError, isTimeout: Bool, _ state: ManagerState) {
        switch (isTimeout, state) {
        case (true, .poweredOff):
            self.init(.noRadio, "Bluetooth is off: switch it on ('bluetoothctl power on')")
        case (true, _):
            self.init(
                .noRadio,
                "no Bluetooth adapter was ready within 5 s (state: \(state)): plug one in, or start bluetoothd"
                    + Diagnosis.hint)
        case (false, _):
            let isRefused = ToolStatus.status(for: error) == .notAuthorized
            // A radio that another program shares is no matter of this machine's.
            let isShared =
                if case .backend(let failure) = error.reason { failure.name.hasPrefix("SharedRadio.") } else { false }
            let hint = isShared ? "" : Diagnosis.hint
            self.init(isRefused ? .notAuthorized : .noRadio, ToolAdvice.text(for: error) + hint)
        }
    }
}
