// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Reading, writing and listening.
extension RandomProgram {
    func read(
        _ device: Int, _ register: ProgramRegister, timeout: Duration?, cancellation: Duration? = nil
    ) async {
        guard let attribute = await attribute(register, of: device) else { return }
        let began = journal.moment()
        let result = await journal.call(
            "read the \(register) value of device \(device)", link: attribute.link, timeout: timeout,
            cancellation: cancellation
        ) { () async throws(CharacteristicError) in
            try await attribute.read(timeout: timeout)
        }
        guard case .success(let value) = result else { return }
        guard let number = register.number(value) else {
            // Where a description is a text, bytes that are none come back as others.
            if register == .descriptor, missing.contains(.descriptors) { return }
            return journal.violate("device \(device) gave \(value), which nobody has written as the \(register) value")
        }
        let ended = journal.moment()
        state.withLock {
            $0.registers[device][register, default: RegisterHistory()].read(number, began: began, ended: ended)
        }
    }

    func write(
        _ device: Int, _ register: ProgramRegister, timeout: Duration?, cancellation: Duration? = nil
    ) async {
        guard let attribute = await attribute(register, of: device) else { return }
        let number = makeNumber()
        let began = journal.moment()
        state.withLock {
            $0.registers[device][register, default: RegisterHistory()].writeBegan(number, at: began)
        }
        let result = await journal.call(
            "write \(number) as the \(register) value of device \(device)", link: attribute.link, timeout: timeout,
            cancellation: cancellation
        ) { () async throws(CharacteristicError) in
            try await attribute.write(register.bytes(number), timeout: timeout)
        }
        guard case .success = result else { return }
        let ended = journal.moment()
        state.withLock { $0.registers[device][register]?.writeWasDone(number, at: ended) }
    }

    /// The handle of a register of a device that is connected to and discovered for it.
    func attribute(_ register: ProgramRegister, of device: Int) async -> RegisterHandle? {
        guard let characteristic = await characteristic(register.characteristic, of: device),
            let link = characteristic.peripheral?.identifier
        else { return nil }
        guard register == .descriptor else { return RegisterHandle(link: link, attribute: .value(characteristic)) }
        let limit = limit(.seconds(8))
        let found = await journal.call("discover descriptors of device \(device)", link: link, timeout: limit) {
            () async throws(CharacteristicError) in
            try await characteristic.discoverDescriptors(timeout: limit)
        }
        let descriptor = (try? found.get())?.first { $0.uuid == ProgramRegister.description }
        return descriptor.map { RegisterHandle(link: link, attribute: .descriptor($0)) }
    }

    func command(_ device: Int, _ count: Int, _ kind: WriteKind) async {
        guard let commanded = await characteristic(ProgramLayout.commanded, of: device),
            let link = commanded.peripheral?.identifier
        else { return }
        for _ in 0..<count {
            // Numbered as the calls are made: the radio has to keep their order.
            let number = makeNumber()
            let result = await journal.call(
                "write \(number) to device \(device) without response", link: link
            ) { () async throws(CharacteristicError) in
                try await commanded.write(Bytes(number: number), kind: kind)
            }
            guard case .success = result else { return }
        }
    }

    func hold(_ device: Int, _ duration: Duration) async {
        guard let notified = await characteristic(ProgramLayout.notified, of: device),
            let link = notified.peripheral?.identifier
        else { return }
        let result = await journal.call("switch device \(device) on", link: link) {
            () async throws(CharacteristicError) in
            try await notified.startNotifying()
        }
        guard case .success = result else { return }
        try? await journal.clock.sleep(for: duration)
        _ = await journal.call("switch device \(device) off", link: link) { () async throws(CharacteristicError) in
            try await notified.stopNotifying()
        }
    }

    /// Listens for a while, and compares the received values with those that passed between the manager and its
    /// backend.
    func listen(_ device: Int, _ listening: ProgramCall.Listening) async {
        let uuid = ProgramLayout.counter(isIndicated: listening.isIndicated)
        guard let characteristic = await characteristic(uuid, of: device),
            let link = characteristic.peripheral?.identifier
        else { return }
        let key = SeamWatch.Key(peripheral: link, attribute: characteristic.id)
        let record = Locked(ListenerRecord(watch.passage(key), survivesLinks: listening.survivesLinks))
        let capacity = listening.capacity.map { StreamCapacity.newest($0) } ?? .unbounded
        let policy: DisconnectPolicy = listening.survivesLinks ? .resubscribe : .end
        let result = await journal.call("listen to device \(device)", link: key.peripheral) {
            () async throws(CharacteristicError) in
            try await characteristic.notifications(capacity: capacity, onDisconnect: policy)
        }
        guard case .success(let notifications) = result else { return }
        let ready = watch.passage(key).values.count
        record.withLock { $0.ready = ready }
        let clock = journal.clock
        await withTaskGroup { group in
            group.addTask {
                do throws(CharacteristicError) {
                    for try await value in notifications {
                        record.withLock { $0.received.append(value) }
                        if listening.pause > .zero { try? await clock.sleep(for: listening.pause) }
                    }
                } catch {
                    // A reset ends listeners before it ends the link.
                    record.withLock { $0.wasEnded = error.reason != .invalidated }
                }
            }
            group.addTask { try? await clock.sleep(for: listening.duration) }
            await group.next()
            group.cancelAll()
        }
        record.withLock { $0.dropped = notifications.droppedCount }
        let final = record.withLock { $0 }
        journal.note("a listener to device \(device) leaves with \(final.received.count) values")
        if let problem = final.problem(in: watch.passage(key)) { journal.violate("device \(device): \(problem)") }
    }
}

/// A register of a device as the central sees it.
struct RegisterHandle: Sendable {
    enum Attribute: Sendable {
        case value(Characteristic)
        case descriptor(Descriptor)
    }

    let link: PeerIdentifier
    let attribute: Attribute

    func read(timeout: Duration?) async throws(CharacteristicError) -> Bytes {
        switch attribute {
        case .value(let characteristic): try await characteristic.read(timeout: timeout)
        case .descriptor(let descriptor): try await descriptor.read(timeout: timeout)
        }
    }

    func write(_ value: Bytes, timeout: Duration?) async throws(CharacteristicError) {
        switch attribute {
        case .value(let characteristic): try await characteristic.write(value, timeout: timeout)
        case .descriptor(let descriptor): try await descriptor.write(value, timeout: timeout)
        }
    }
}
