// SPDX-License-Identifier: MIT

import BlueCap

/// The checks of the peripheral role: this machine is a device that the second one uses.
struct PeripheralChecks {
    static let service: BluetoothUUID = "6B1C0010-35C4-4E4C-9D55-2F8C6A1E0B10"
    static let value: BluetoothUUID = "6B1C0011-35C4-4E4C-9D55-2F8C6A1E0B10"
    static let written: Bytes = [42]
    static let updateCount: UInt8 = 10

    private let manager: PeripheralManager
    private let characteristic = MutableCharacteristic(
        uuid: PeripheralChecks.value, properties: [.read, .write, .notify], permissions: [.readable, .writeable],
        value: [5])

    init(_ manager: PeripheralManager) { self.manager = manager }

    func run(_ checks: inout Checks) async {
        let writes = characteristic.writeRequests()
        let subscriptions = characteristic.subscriptions()
        await checks.check("the radio of the peripheral role is on") {
            try await manager.whenPoweredOn(timeout: .seconds(60))
        }
        await checks.check("a service is added and advertised") {
            let service = MutableService(uuid: Self.service)
            service.characteristics = [characteristic]
            try await manager.add(service, timeout: .seconds(10))
            try await manager.startAdvertising("On a Mac", serviceUUIDs: [Self.service], timeout: .seconds(10))
        }
        await checks.check("the advertisement is stopped and started ten times, back to back") {
            for _ in 1...10 {
                try await manager.stopAdvertising(timeout: .seconds(10))
                try await manager.startAdvertising("On a Mac", serviceUUIDs: [Self.service], timeout: .seconds(10))
            }
            try expect(manager.isAdvertising, "nothing is on the air")
        }
        await checks.check("the second device writes a value") {
            let value = try await first(of: writes) { $0.accept() ? $0.value : nil }
            try expect(value == Self.written, "\(value)")
        }
        await checks.check("it subscribes, and is sent ten values") {
            try await first(of: subscriptions) { $0.kind == .subscribed ? true : nil }
            for number in 1...Self.updateCount { try characteristic.update([number]) }
        }
        await checks.check("its subscription ends with the connection") {
            try await first(of: subscriptions) { $0.kind == .unsubscribed ? true : nil }
            try expect(characteristic.subscribers.isEmpty, "\(characteristic.subscribers)")
        }
        await manager.invalidate()
    }

    /// The first element that is looked for; the second device has two minutes for it.
    @discardableResult
    private func first<Element: Sendable, Value: Sendable>(
        of stream: AsyncStream<Element>, _ match: @escaping @Sendable (Element) -> Value?
    ) async throws -> Value {
        let clock = manager.clock
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask {
                for await element in stream {
                    if let value = match(element) { return value }
                }
                throw Checks.Unexpected("the stream has ended")
            }
            group.addTask {
                try await clock.sleep(for: .seconds(120))
                throw Checks.Unexpected("the second device did not do it within two minutes")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw Checks.Unexpected("there was no task") }
            return value
        }
    }
}
