// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// What must be true when every fault was taken back.
extension RandomProgram {
    func check() async throws {
        journal.checkThatAllReturned()
        for device in devices.indices {
            checkRegister(device)
            try await checkOrder(of: device)
            try await checkAgreement(with: device)
        }
        for device in devices.indices { try await exercise(device) }
        await far?.check(makeNumber)
        try await leave()
    }

    private func checkRegister(_ device: Int) {
        for problem in state.withLock({ $0.registers[device] }).check() {
            journal.violate("the register of device \(device) is not linearizable: \(problem)")
        }
    }

    /// Numbers were made in order; they must have come in order, and none twice, but for what was not confirmed on the link
    /// before.
    private func checkOrder(of device: Int) async throws {
        let commands = try await devices[device].commands
        if !commands.isRising { journal.violate("device \(device) took commands in the order \(commands)") }
        for (key, passage) in watch.passages where key.peripheral == devices[device].identifier {
            let numbers = passage.withoutRepetitions.compactMap(\.number).filter { $0 != 0 }
            if !numbers.isRising {
                journal.violate("\(key.attribute) of device \(device) came in the order \(numbers)")
            }
        }
    }

    /// Both sides agree on links and subscriptions.
    private func checkAgreement(with index: Int) async throws {
        let device = devices[index]
        let peripheral = central.peripheral(withIdentifier: device.identifier)
        let isConnected = peripheral?.isConnected ?? false
        if let count = try await device.connectionCount, count != (isConnected ? 1 : 0) {
            journal.violate("device \(index) has \(count) links, the central \(isConnected ? "has one" : "none")")
        }
        for uuid in [ProgramLayout.notified, ProgramLayout.indicated] {
            let characteristic = (try? peripheral?.characteristic(uuid)) ?? nil
            let isOn = isConnected && (characteristic?.isNotifying ?? false)
            let count = try await device.subscriberCount(of: uuid)
            if count != (isOn ? 1 : 0), !(count == 1 && watch.mayBeLeftOn(uuid, of: device.identifier)) {
                journal.violate(
                    "\(uuid) of device \(index) has \(count) subscribers, the central \(isOn ? "listens" : "not")")
            }
        }
    }

    /// Everything works again.
    private func exercise(_ index: Int) async throws {
        let device = devices[index]
        guard let register = await characteristic(ProgramLayout.register, of: index),
            let notified = await characteristic(ProgramLayout.notified, of: index)
        else { return journal.violate("device \(index) cannot be connected to and discovered any more") }
        let number = makeNumber()
        let written = await journal.call("write device \(index) at the end", timeout: .seconds(20)) {
            () async throws(CharacteristicError) in
            // The app at the other end refuses a write now and then.
            for _ in 0..<20 where (try? await register.write(Bytes(number: number), timeout: .seconds(10))) != nil {
                return
            }
            try await register.write(Bytes(number: number), timeout: .seconds(10))
        }
        if case .failure(let error) = written {
            journal.violate("device \(index) cannot be written any more: \(error)")
        }
        let kept = try await device.register
        if kept != number {
            journal.violate("device \(index) has \(kept), not the \(number) written")
        }
        let heard = await journal.call("hear device \(index) at the end", timeout: .seconds(20)) {
            () async throws(CharacteristicError) -> Bool in
            let notifications = try await notified.notifications(timeout: .seconds(10))
            try? await device.greet([])
            let value = Bytes(number: self.makeNumber())
            try? await device.send([value], isIndicated: false)
            for try await heard in notifications where heard == value { return true }
            return false
        }
        if case .success(true) = heard { return }
        journal.violate("device \(index) cannot be heard any more: \(heard)")
    }

    /// Takes everything back: nothing may be left.
    private func leave() async throws {
        for device in devices.indices {
            central.peripheral(withIdentifier: devices[device].identifier)?.reconnectPolicy = .never
        }
        await central.disconnectAllPeripherals()
        await served.reset()
        try? await journal.clock.sleep(for: .seconds(10))
        for (what, count) in await central.remains {
            journal.violate("the central manager is left with \(count) \(what)")
        }
        for (what, count) in await served.manager.remains {
            journal.violate("the peripheral manager is left with \(count) \(what)")
        }
        for (index, device) in devices.enumerated() {
            for uuid in [ProgramLayout.notified, ProgramLayout.indicated]
            where try await device.subscriberCount(of: uuid) > 0 {
                journal.violate("\(uuid) of device \(index) still has a subscriber")
            }
        }
    }
}

extension [UInt64] {
    /// Whether each is larger than the one before.
    var isRising: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
