// SPDX-License-Identifier: MIT

import BlueCap

extension Pipeline {
    /// Updates of a characteristic that one central is subscribed to.
    func updates(over way: String) async throws -> Figures {
        let (manager, characteristic) = try await publish([.read, .notify])
        characteristic.updatePolicy = .all
        let subscriptions = characteristic.subscriptions()
        say("subscribe-\(way)")
        for await _ in subscriptions { break }
        return try await consume(with: manager) {
            var value = [UInt8](repeating: 0, count: 20)
            let meter = Meter.begin()
            for number in 0..<count {
                for index in 0..<4 { value[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
                try characteristic.update(value)
            }
            while !characteristic.pendingUpdates.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            return meter.figures(count: count, wrong: characteristic.droppedCount)
        }
    }

    /// Write requests that are answered.
    func requests() async throws -> Figures {
        let (manager, _) = try await publish([.read, .write])
        let requests = manager.writeRequests()
        return try await consume(with: manager) {
            var answered = 0
            let meter = Meter.begin()
            for await request in requests {
                request.accept()
                answered += 1
                if answered == count { break }
            }
            return meter.figures(count: answered)
        }
    }

    func publish(_ properties: CharacteristicProperties) async throws -> (PeripheralManager, MutableCharacteristic) {
        let manager = PeripheralManager()
        return (manager, try await publish(properties, with: manager))
    }

    func publish(
        _ properties: CharacteristicProperties, with manager: PeripheralManager
    ) async throws -> MutableCharacteristic {
        try await manager.whenPoweredOn(timeout: .seconds(60))
        let characteristic = MutableCharacteristic(
            profile: CharacteristicProfile(
                uuid: Names.characteristic, name: "value", permissions: [.readable, .writeable],
                properties: properties, initialValue: Bytes([0])))
        let service = MutableService(uuid: Names.service)
        service.characteristics = [characteristic]
        try await manager.add(service, timeout: .seconds(60))
        return characteristic
    }
}
