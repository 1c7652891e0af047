// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The conditions that must hold when every fault has ended.
extension RandomProgram {
    func check() async throws {
        journal.checkThatAllReturned()
        becomePatient()
        for device in devices.indices {
            checkRegisters(device)
            try await checkOrder(of: device)
            try await checkAgreement(with: device)
        }
        served.checkCentrals()
        try await checkChannels()
        try await whileUsersAgree {
            for device in self.devices.indices { try await self.exercise(device) }
            await self.far?.check(self.makeNumber)
        }
        try await leave()
    }

    private func checkRegisters(_ device: Int) {
        let registers = state.withLock { $0.registers[device] }
        for (register, history) in registers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for problem in history.check() {
                journal.violate("the \(register) value of device \(device) is not linearizable: \(problem)")
            }
        }
    }

    /// Numbers are made in order; they must come in order, and none twice, except indications that were not confirmed
    /// on the link before.
    private func checkOrder(of device: Int) async throws {
        let commands = try await devices[device].commands
        if !commands.isRising { journal.violate("device \(device) took commands in the order \(commands)") }
        for (key, passage) in watch.passages where devices[device].identifiers.contains(key.peripheral) {
            let numbers = passage.withoutRepetitions.compactMap(\.number).filter { $0 != 0 }
            if !numbers.isRising {
                journal.violate("\(key.attribute) of device \(device) came in the order \(numbers)")
            }
        }
    }

    /// Both sides agree on links and subscriptions, and so do the manager's events.
    private func checkAgreement(with index: Int) async throws {
        let device = devices[index]
        let peripherals = peripherals(of: index)
        let linked = peripherals.filter(\.isConnected)
        if let count = try await device.connectionCount, count != linked.count {
            journal.violate("device \(index) has \(count) links, the central \(linked.count)")
        }
        for identifier in device.identifiers {
            let isConnected = linked.contains { $0.identifier == identifier }
            let isToldSo = state.withLock { $0.isConnected[identifier] ?? false }
            if isToldSo != isConnected {
                journal.violate("\(identifier) is connected: \(isConnected), and the last event said \(isToldSo)")
            }
        }
        for uuid in [ProgramLayout.notified, ProgramLayout.indicated] {
            let isOn = linked.contains { (try? $0.characteristic(uuid))?.isNotifying ?? false }
            let isLeftOn = linked.contains { watch.mayBeLeftOn(uuid, of: $0.identifier) }
            let count = try await device.subscriberCount(of: uuid)
            if count != (isOn ? 1 : 0), !(count == 1 && isLeftOn) {
                journal.violate(
                    "\(uuid) of device \(index) has \(count) subscribers, the central \(isOn ? "listens" : "not")")
            }
        }
    }

    /// Runs `body` while every request of pairing is answered with yes.
    private func whileUsersAgree(_ body: () async throws -> Void) async throws {
        // Both are cancelled when this returns.
        async let _: Void = answerPairing(.central, .noInputNoOutput, nil)
        async let _: Void = answerPairing(.peripheral, .noInputNoOutput, nil)
        try await body()
    }

    /// Everything works again.
    private func exercise(_ index: Int) async throws {
        guard let notified = await characteristic(ProgramLayout.notified, of: index) else {
            return journal.violate("device \(index) cannot be connected to and discovered any more")
        }
        try await exerciseHearing(index, notified)
        await exerciseChannel(index)
        if !missing.contains(.pairing) { await exercisePairing(index) }
        for register in ProgramRegister.allCases where !(register == .descriptor && missing.contains(.descriptors)) {
            try await exercise(index, register)
        }
    }

    private func exercise(_ index: Int, _ register: ProgramRegister) async throws {
        guard let attribute = await attribute(register, of: index) else {
            return journal.violate("device \(index) has no \(register) value any more")
        }
        let number = makeNumber()
        let value = register.bytes(number)
        let result = await journal.call("write and read device \(index) at the end", timeout: limit(.seconds(200))) {
            () async throws(CharacteristicError) -> Bytes in
            let limit = self.limit(.seconds(20))
            // The app at the other end refuses a write now and then, and small packets take their time.
            var attempts = 0
            while (try? await attribute.write(value, timeout: limit)) == nil, attempts < 8 { attempts += 1 }
            if attempts == 8 { try await attribute.write(value, timeout: limit) }
            return try await attribute.read(timeout: limit)
        }
        switch result {
        case .failure(let error):
            journal.violate("the \(register) value of device \(index) cannot be written and read any more: \(error)")
        case .success(let read):
            if read != value { journal.violate("device \(index) gives \(read), not the \(value) written") }
        }
        let kept = try await devices[index].number(in: register)
        if kept != number {
            journal.violate("device \(index) has \(kept.map(String.init) ?? "no number"), not the \(number) written")
        }
    }

    private func exerciseHearing(_ index: Int, _ notified: Characteristic) async throws {
        let device = devices[index]
        let heard = await journal.call("hear device \(index) at the end", timeout: limit(.seconds(20))) {
            () async throws(CharacteristicError) -> Bool in
            let notifications = try await notified.notifications(timeout: self.limit(.seconds(10)))
            try? await device.greet([])
            let value = Bytes(number: self.makeNumber())
            try? await device.send([value], isIndicated: false, isSingle: false)
            for try await heard in notifications where heard == value { return true }
            return false
        }
        if case .success(true) = heard { return }
        journal.violate("device \(index) cannot be heard any more: \(heard)")
    }

    private func exercisePairing(_ index: Int) async {
        guard let peripheral = await linked(index) else {
            return journal.violate("device \(index) cannot be connected to any more")
        }
        let result = await journal.call("pair with device \(index) at the end", timeout: limit(.seconds(20))) {
            () async throws(PeripheralError) in
            try await peripheral.pair(timeout: self.limit(.seconds(20)))
        }
        if case .failure(let error) = result {
            journal.violate("device \(index) cannot be paired with any more: \(error)")
        } else if !peripheral.isBonded {
            journal.violate("device \(index) is paired with and has no bond")
        }
    }

    /// Takes everything back: nothing may be left.
    private func leave() async throws {
        for device in devices.indices {
            for peripheral in peripherals(of: device) { peripheral.reconnectPolicy = .never }
            guard let peripheral = known(device) else { continue }
            await removeBond(device)
            if peripheral.isBonded { journal.violate("device \(device) has a bond that was removed") }
        }
        await central.disconnectAllPeripherals(timeout: nil)
        await served.reset()
        try? await journal.clock.sleep(for: .seconds(10))
        checkChannelCounts()
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
