// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The tasks of each life of the program.
extension RestoredProgram {
    // MARK: The central role

    /// Listens to a device, over lost links, and starts again when the listening ends.
    func follow(_ device: Int, in life: Life) async {
        var restored = life.restoredCentral?.characteristics.first { one in
            one.uuid == ProgramLayout.notified
                && devices[device].identifiers.contains { $0 == one.peripheral?.identifier }
        }
        // Values received since the start are held for the first sequence.
        var (takesHeld, isFirst) = (restored != nil, true)
        while !Task.isCancelled {
            let characteristic = if let restored { await connect(restored) } else { await find(device, in: life) }
            if let characteristic {
                let listened = await listen(
                    to: characteristic, of: device, in: life, takesHeld: takesHeld, isFirst: isFirst)
                (takesHeld, isFirst) = (takesHeld && !listened, false)
            }
            state.withLock { $0.listening[device] = nil }
            restored = nil
            guard (try? await journal.clock.sleep(for: .seconds(2))) != nil else { return }
        }
    }

    /// Waits for the connection that is being restored, however long the device is away.
    private func connect(_ restored: Characteristic) async -> Characteristic? {
        guard let peripheral = restored.peripheral, (try? await peripheral.connect()) != nil else { return nil }
        return restored
    }

    private func find(_ device: Int, in life: Life) async -> Characteristic? {
        let identifier = devices[device].identifier
        do {
            try await life.central.whenPoweredOn()
            let peripheral = try await life.central.find(identifier, timeout: .seconds(10))
            peripheral.reconnectPolicy = .forever
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover(timeout: .seconds(10))
            return try peripheral.characteristic(ProgramLayout.notified)
        } catch {
            return nil
        }
    }

    /// - Returns: Whether it subscribed.
    private func listen(
        to characteristic: Characteristic, of device: Int, in life: Life, takesHeld: Bool, isFirst: Bool
    ) async -> Bool {
        guard let link = characteristic.peripheral?.identifier else { return false }
        let key = SeamWatch.Key(peripheral: link, attribute: characteristic.id)
        let record = Locked(
            ListenerRecord(life.watch.passage(key), survivesLinks: true, takesHeld: takesHeld, isFirst: isFirst))
        var listened = false
        do throws(CharacteristicError) {
            let notifications = try await characteristic.notifications(
                capacity: .unbounded, onDisconnect: .resubscribe, timeout: .seconds(10))
            listened = true
            let (ready, now) = (life.watch.passage(key).values.count, journal.clock.elapsed)
            record.withLock { $0.ready = ready }
            state.withLock { $0.listening[device] = now }
            for try await value in notifications {
                record.withLock { $0.received.append(value) }
                hear(value, of: device)
            }
        } catch {
            journal.note("the program does not hear device \(device) any more: \(error.reason)")
        }
        record.withLock { $0.dropped = characteristic.droppedCount }
        if listened, let problem = record.withLock({ $0 }).problem(in: life.watch.passage(key)) {
            journal.violate("device \(device): \(problem)")
        }
        return listened
    }

    private func hear(_ value: Bytes, of device: Int) {
        guard let number = value.number else { return journal.violate("device \(device) notified \(value)") }
        let before = state.withLock { $0.heard.updateValue(number, forKey: device) } ?? 0
        if number <= before { journal.violate("device \(device) notified \(number) after \(before)") }
    }

    // MARK: The peripheral role

    /// Offers the service, unless it is restored, and accepts writes.
    func serve(in life: Life) async {
        let restored = life.restoredServer?.services.first { $0.uuid == ProgramLayout.service }
        let service = restored ?? makeService()
        guard let plain = service.characteristics.first(where: { $0.uuid == ProgramRegister.plain.characteristic }),
            let notified = service.characteristics.first(where: { $0.uuid == ProgramLayout.notified })
        else { return journal.violate("the service is restored without its characteristics") }
        if plain.value == nil { plain.value = ProgramRegister.plain.bytes(0) }
        await withTaskGroup { group in
            group.addTask {
                for await request in plain.writeRequests() {
                    request.accept()
                    // A written value is notified, too.
                    try? notified.update(request.value)
                }
            }
            group.addTask {
                if restored == nil { await self.add(service, to: life.server) }
                if life.restoredServer?.advertisement == nil { await self.advertise(life.server) }
            }
        }
    }

    private func makeService() -> MutableService {
        let service = MutableService(uuid: ProgramLayout.service)
        service.characteristics = [
            MutableCharacteristic(uuid: Self.fixed, properties: .read, permissions: .readable, value: [7]),
            MutableCharacteristic(uuid: ProgramRegister.plain.characteristic, properties: [.read, .write]),
            MutableCharacteristic(uuid: ProgramLayout.notified, properties: .notify),
        ]
        return service
    }

    /// Adds the service, however often it takes.
    private func add(_ service: MutableService, to server: PeripheralManager) async {
        while !Task.isCancelled {
            try? await server.whenPoweredOn()
            if (try? await server.add(service)) != nil { return }
            guard (try? await journal.clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    private func advertise(_ server: PeripheralManager) async {
        while !Task.isCancelled {
            try? await server.whenPoweredOn()
            try? await server.startAdvertising(Self.name, serviceUUIDs: [ProgramLayout.service])
            if server.isAdvertising { return }
            guard (try? await journal.clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }
}

extension CentralManager {
    /// The peripheral with an address, which is scanned for where it is not known.
    nonisolated func find(_ identifier: PeerIdentifier, timeout: Duration) async throws -> Peripheral {
        if let known = peripheral(withIdentifier: identifier) { return known }
        let options = ScanOptions(addressPrefix: identifier.text)
        return try await firstDiscovery(options: options, timeout: timeout).peripheral
    }
}
