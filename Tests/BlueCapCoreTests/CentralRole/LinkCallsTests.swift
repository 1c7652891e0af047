// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The calls of handles, without a manager.
@Suite("Calls over a link", .timeLimit(.minutes(60)))
struct LinkCallsTests {
    @Test func `a discovery fails without a link, and reports the characteristics that it finds over one`() async throws
    {
        try await CentralRooms.run { stage, time in
            let found = stage.published.characteristics.stream(capacity: .unbounded)
            let service = try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                _ = characteristics
                return record.peripheral.services[0]
            }
            async let discovered = stage.discoverCharacteristics(service)
            await time.idle()
            await stage.answer(.success(.characteristics(Battery().characteristics)))
            #expect(try await discovered.map(\.uuid) == ["2A19", "2A1A"])
            await stage.act { stage in stage.book.known(.one)?.connection.disconnected(nil, stage) }
            await #expect(throws: ServiceError.disconnected) { try await stage.discoverCharacteristics(service) }
            stage.published.finish()
            var all: [BluetoothUUID] = []
            for await characteristic in found { all.append(characteristic.uuid) }
            #expect(all == ["2A19", "2A1A"])
        }
    }

    @Test func `a value that is read is the characteristic's, and one that is too long is refused`() async throws {
        try await CentralRooms.run { stage, time in
            let level = try await stage.act { try $0.discovered().1[0] }
            async let value = stage.read(level)
            await time.idle()
            await stage.answer(.success(.value([7])))
            #expect(try await value == [7])
            #expect(level.value == [7])
            async let other = stage.read(level)
            await time.idle()
            await stage.answer(.success(.value(Bytes(repeating: 1, count: maximumAttributeLength + 1))))
            do {
                _ = try await other
                Issue.record("a value that is too long was read")
            } catch {
                #expect(error as? CharacteristicError == .backend(.valueTooLong(count: maximumAttributeLength + 1)))
            }
            #expect(level.value == [7])
        }
    }

    @Test func `a subscription is on when the call for it returns`() async throws {
        try await CentralRooms.run { stage, time in
            let level = try await stage.act { try $0.discovered().1[0] }
            async let call: Void = stage.startNotifying(level)
            await time.idle()
            #expect(!level.isNotifying)
            await stage.answer(.success(.done))
            try await call
            #expect(level.isNotifying)
        }
    }

    @Test func `a call to connect returns with the connection, and one to disconnect with its end`() async throws {
        try await CentralRooms.run { stage, time in
            let peripheral = await stage.act { $0.book.record(for: .one, $0).peripheral }
            async let connected: Void = stage.connect(peripheral)
            await time.idle()
            await stage.act { $0.book.known(.one)?.connection.connected(nil, $0) }
            try await connected
            async let isDown = stage.disconnect(peripheral)
            await time.idle()
            #expect(peripheral.state == .disconnecting)
            await stage.act { $0.book.known(.one)?.connection.disconnected(nil, $0) }
            #expect(await isDown)
        }
    }
}

extension CentralRooms {
    fileprivate func discoverCharacteristics(_ service: Service) async throws(ServiceError) -> [Characteristic] {
        try await connections.databases.discoverCharacteristics(service, nil, timeout: nil, self)
    }

    fileprivate func read(_ characteristic: Characteristic) async throws(CharacteristicError) -> Bytes {
        try await connections.values.read(characteristic, timeout: nil, self)
    }

    fileprivate func startNotifying(_ characteristic: Characteristic) async throws(CharacteristicError) {
        try await connections.subscriptions.startNotifying(
            characteristic, transport: .standard, timeout: nil, self)
    }

    fileprivate func connect(_ peripheral: Peripheral) async throws(PeripheralError) {
        try await connections.connect(peripheral, timeout: nil, self)
    }

    fileprivate func disconnect(_ peripheral: Peripheral) async -> Bool {
        await connections.disconnect(peripheral, timeout: nil, self)
    }
}
