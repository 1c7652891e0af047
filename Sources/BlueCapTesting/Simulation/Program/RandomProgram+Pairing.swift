// SPDX-License-Identifier: MIT

import BlueCapCore

/// Pairing.
extension RandomProgram {
    func pair(_ device: Int, timeout: Duration?, cancellation: Duration? = nil) async {
        guard let peripheral = await linked(device) else { return }
        _ = await journal.call(
            "pair with device \(device)", link: peripheral.identifier, timeout: timeout, cancellation: cancellation
        ) { () async throws(PeripheralError) in
            try await peripheral.pair(timeout: timeout)
        }
    }

    func cancelPairing(_ device: Int) async {
        guard let peripheral = known(device) else { return }
        _ = await journal.call("cancel pairing with device \(device)") { () async throws(PeripheralError) in
            await peripheral.cancelPairing()
        }
    }

    func removeBond(_ device: Int) async {
        guard let peripheral = known(device) else { return }
        _ = await journal.call("remove the bond with device \(device)") { () async throws(PeripheralError) in
            try await peripheral.removeBond()
        }
    }

    /// Answers the pairing requests of one of the managers, for a while.
    ///
    /// - Parameters:
    ///   - role: The role of the manager.
    ///   - capability: The capability of the manager's device.
    ///   - duration: The time after which it stops; nil for as long as the task is not cancelled, and then with yes to
    ///     every request.
    func answerPairing(_ role: ProgramRole, _ capability: PairingCapability, _ duration: Duration?) async {
        let requests =
            switch role {
            case .central: central.pairingRequests(capability: capability)
            case .peripheral: served.manager.pairingRequests(capability: capability)
            }
        await withTaskGroup { group in
            group.addTask { [users] in
                await withTaskGroup { answers in
                    for await request in requests {
                        answers.addTask { await users.answer(request, to: role, agrees: duration == nil) }
                    }
                }
            }
            if let duration {
                group.addTask { [journal] in try? await journal.clock.sleep(for: duration) }
                // Two that answer at the same time would be of two minds.
                group.addTask { [journal] in await journal.healed() }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
