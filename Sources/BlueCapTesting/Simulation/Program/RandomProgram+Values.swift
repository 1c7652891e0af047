// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Reading, writing and listening.
extension RandomProgram {
    func read(_ device: Int, timeout: Duration?, cancellation: Duration? = nil) async {
        guard let register = await characteristic(ProgramLayout.register, of: device) else { return }
        let began = journal.moment()
        let result = await journal.call(
            "read device \(device)", link: devices[device].identifier, timeout: timeout, cancellation: cancellation
        ) { () async throws(CharacteristicError) in
            try await register.read(timeout: timeout)
        }
        guard case .success(let value) = result else { return }
        guard let number = value.number else { return journal.violate("device \(device) gave \(value), half a number") }
        let ended = journal.moment()
        state.withLock { $0.registers[device].read(number, began: began, ended: ended) }
    }

    func write(_ device: Int, timeout: Duration?, cancellation: Duration? = nil) async {
        guard let register = await characteristic(ProgramLayout.register, of: device) else { return }
        let number = makeNumber()
        let began = journal.moment()
        state.withLock { $0.registers[device].writeBegan(number, at: began) }
        let result = await journal.call(
            "write \(number) to device \(device)", link: devices[device].identifier, timeout: timeout,
            cancellation: cancellation
        ) { () async throws(CharacteristicError) in
            try await register.write(Bytes(number: number), timeout: timeout)
        }
        guard case .success = result else { return }
        let ended = journal.moment()
        state.withLock { $0.registers[device].writeWasDone(number, at: ended) }
    }

    func command(_ device: Int, _ count: Int) async {
        guard let commanded = await characteristic(ProgramLayout.commanded, of: device) else { return }
        for _ in 0..<count {
            // Numbered as the calls are made: the radio has to keep their order.
            let number = makeNumber()
            let result = await journal.call(
                "write \(number) to device \(device) without response", link: devices[device].identifier
            ) { () async throws(CharacteristicError) in
                try await commanded.write(Bytes(number: number), kind: .withoutResponse)
            }
            guard case .success = result else { return }
        }
    }

    func hold(_ device: Int, _ duration: Duration) async {
        guard let notified = await characteristic(ProgramLayout.notified, of: device) else { return }
        let link = devices[device].identifier
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

    /// Listens for a while, and compares what came with what passed between the manager and its backend.
    func listen(_ device: Int, _ listening: ProgramCall.Listening) async {
        let uuid = ProgramLayout.counter(isIndicated: listening.isIndicated)
        guard let characteristic = await characteristic(uuid, of: device) else { return }
        let key = SeamWatch.Key(peripheral: devices[device].identifier, attribute: characteristic.id)
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
