// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: requests to a control point", .timeLimit(.minutes(60)))
struct ControlPointRequestTests {
    /// A control point that the app takes the requests of.
    static func point(
        in world: PeripheralWorld
    ) async throws -> (MutableCharacteristic, Recorder<ControlPointRequest<LampMessage>>) {
        let characteristic = try await world.characteristic(properties: [.write, .indicate], permissions: .writeable)
        let point = TypedMutableCharacteristic<LampMessage>(characteristic)
        return (characteristic, await world.recorder(point.controlPointRequests()))
    }

    /// A control point beside a characteristic with the values that it reports; one central is subscribed to both.
    static func pointAndValues(
        in world: PeripheralWorld
    ) async throws -> (MutableCharacteristic, MutableCharacteristic, Recorder<ControlPointRequest<LampMessage>>) {
        let point = TypedMutableCharacteristic<LampMessage>(
            MutableCharacteristic(uuid: "2A19", properties: [.write, .indicate], permissions: .writeable))
        let values = MutableCharacteristic(uuid: "2A1A", properties: .notify)
        let service = MutableService(uuid: "180F")
        service.characteristics = [point.characteristic, values]
        try await world.add(service)
        let requests = await world.recorder(point.controlPointRequests())
        try await world.subscribe(to: point.characteristic)
        try await world.subscribe(to: values)
        return (point.characteristic, values, requests)
    }

    /// Expects one indication on its way, to the central of the world.
    private func expectSent(
        _ bytes: Bytes, _ characteristic: MutableCharacteristic, _ world: PeripheralWorld
    ) async throws {
        let id = try #require(characteristic.registration?.id)
        let sent = await world.backend.outstanding.map(\.operation)
        #expect(sent == [.update(id, bytes, central: PeripheralWorld.one.identifier)])
    }

    @Test func `a write is answered with success, and its request by an indication to that central, once`() async throws
    {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            let write = try await world.write([1, 7], to: characteristic)
            #expect(await world.answers(to: write) == [.success([])])
            let request = try #require(requests.all.first)
            #expect(request.message.opCode == 1)
            #expect(request.central == PeripheralWorld.one)
            #expect(request.respond())
            #expect(!request.respond(4))
            await world.idle()
            try await expectSent([0x80, 1, 1], characteristic, world)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `a response may have data`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            _ = try await world.write([2], to: characteristic)
            requests.all[0].respond(with: LampMessage(opCode: 0x80, parameter: [2, 1, 9, 9]))
            await world.idle()
            try await expectSent([0x80, 2, 1, 9, 9], characteristic, world)
        }
    }

    @Test func `a response goes out behind the values that were sent before it, and no others`() async throws {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await Self.pointAndValues(in: world)
            _ = try await world.write([1], to: point)
            for value: UInt8 in 1...2 { try values.update([value]) }
            #expect(requests.all[0].respond())
            try values.update([3])
            await world.idle()
            for sent in ["update 01", "update 02"] {
                #expect(await world.backend.outstanding.map(\.operation.summary) == [sent])
                await world.answer()
            }
            let sent = await world.backend.outstanding.map(\.operation.summary)
            #expect(Set(sent) == ["update 03", "update 800101"])
        }
    }

    @Test func `a response does not stay behind a value that reached nobody, as that waits for a new subscriber`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await Self.pointAndValues(in: world)
            _ = try await world.write([1], to: point)
            try values.update([1])
            #expect(requests.all[0].respond())
            await world.idle()
            await world.refuse(.disconnected)
            #expect(values.pendingUpdates == [[1]])
            try await expectSent([0x80, 1, 1], point, world)
        }
    }

    @Test func `a response does not stay behind a value that has reached nobody before it`() async throws {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await Self.pointAndValues(in: world)
            try values.update([1])
            await world.idle()
            await world.refuse(.disconnected)
            _ = try await world.write([1], to: point)
            #expect(requests.all[0].respond())
            await world.idle()
            try await expectSent([0x80, 1, 1], point, world)
        }
    }

    @Test func `a response stays behind a value that reached nobody and is sent again with a later one`() async throws {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await Self.pointAndValues(in: world)
            try values.update([1])
            await world.idle()
            await world.refuse(.disconnected)
            _ = try await world.write([1], to: point)
            try values.update([2])
            #expect(requests.all[0].respond())
            await world.idle()
            for sent in ["update 01", "update 02", "update 800101"] {
                #expect(await world.backend.outstanding.map(\.operation.summary) == [sent])
                await world.answer()
            }
        }
    }

    @Test func `who has not subscribed is refused, though another has`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            let early = try await world.write([1], to: characteristic)
            #expect(await world.answers(to: early) == [.failure(.clientConfigurationImproper)])
            try await world.subscribe(PeripheralWorld.two, to: characteristic)
            let write = try await world.write([1], to: characteristic)
            #expect(await world.answers(to: write) == [.failure(.clientConfigurationImproper)])
            #expect(requests.all.isEmpty)
        }
    }

    @Test func `a second request is refused until the first is answered`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            _ = try await world.write([1], to: characteristic)
            let second = try await world.write([2], to: characteristic)
            #expect(await world.answers(to: second) == [.failure(.procedureAlreadyInProgress)])
            requests.all[0].respond()
            await world.idle()
            let third = try await world.write([3], to: characteristic)
            #expect(await world.answers(to: third) == [.success([])])
            #expect(requests.all.map(\.message.opCode) == [1, 3])
        }
    }

    @Test func `bytes that are no message are refused by their length`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            let write = try await world.write([], to: characteristic)
            #expect(await world.answers(to: write) == [.failure(.invalidAttributeValueLength)])
            #expect(requests.all.isEmpty)
        }
    }

    @Test func `one that is not answered in time has failed`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            _ = try await world.write([1], to: characteristic)
            await world.advance(by: .seconds(25))
            try await expectSent([0x80, 1, 4], characteristic, world)
            #expect(!requests.all[0].isOpen)
            #expect(!requests.all[0].respond())
        }
    }

    @Test func `one that is released has failed`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: [.write, .indicate])
            let point = TypedMutableCharacteristic<LampMessage>(characteristic)
            let loop = await world.start { for await _ in point.controlPointRequests() {} }
            try await world.subscribe(to: characteristic)
            _ = try await world.write([1], to: characteristic)
            try await expectSent([0x80, 1, 4], characteristic, world)
            loop.cancel()
        }
    }

    @Test func `an abort closes the request that is under way, and is answered itself`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            _ = try await world.write([1], to: characteristic)
            let abort = try await world.write([9], to: characteristic)
            #expect(await world.answers(to: abort) == [.success([])])
            #expect(!requests.all[0].isOpen)
            #expect(!requests.all[0].respond())
            try await expectSent([0x80, 9, 1], characteristic, world)
        }
    }

    @Test func `the end of the central's subscription closes its request and frees the place`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            _ = try await world.write([1], to: characteristic)
            try await world.unsubscribe(from: characteristic)
            #expect(!requests.all[0].isOpen)
            try await world.subscribe(to: characteristic)
            let next = try await world.write([2], to: characteristic)
            #expect(await world.answers(to: next) == [.success([])])
        }
    }

    @Test func `where centrals are not distinguished all of them get the response`() async throws {
        try await PeripheralWorld.run(features: []) { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(Central(identifier: nil), to: characteristic)
            _ = try await world.write([1], to: characteristic)
            requests.all[0].respond()
            await world.idle()
            let id = try #require(characteristic.registration?.id)
            #expect(await world.backend.outstanding.map(\.operation) == [.update(id, [0x80, 1, 1], central: nil)])
        }
    }

    @Test(arguments: [true, false])
    func `a response that did not reach its central is not kept for the next one`(isTaken: Bool) async throws {
        try await PeripheralWorld.run(features: []) { world in
            let (characteristic, requests) = try await Self.point(in: world)
            let all = Central(identifier: nil)
            try await world.subscribe(all, to: characteristic)
            if !isTaken { try characteristic.update([5]) }
            await world.idle()
            _ = try await world.write([1], to: characteristic)
            requests.all[0].respond()
            await world.idle()
            try await world.unsubscribe(all, from: characteristic)
            await world.refuse(.disconnected)
            await world.idle()
            #expect(!characteristic.pendingUpdates.contains([0x80, 1, 1]))
            try await world.subscribe(all, to: characteristic)
            await world.idle()
            let sent = await world.backend.outstanding.map(\.operation)
            #expect(
                !sent.contains {
                    if case .update(_, let value, _) = $0 { value == [0x80, 1, 1] } else { false }
                })
        }
    }

    @Test func `a response of more bytes than a value has is replaced by a failure`() async throws {
        try await PeripheralWorld.run { world in
            let (characteristic, requests) = try await Self.point(in: world)
            try await world.subscribe(to: characteristic)
            _ = try await world.write([2], to: characteristic)
            let long = LampMessage(opCode: 0x80, parameter: Bytes([UInt8](repeating: 9, count: 512)))
            #expect(!requests.all[0].respond(with: long))
            await world.idle()
            try await expectSent([0x80, 2, LampMessage.failed], characteristic, world)
        }
    }

    @Test func `without a loop writes are refused as before`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: [.write, .indicate])
            var stream: AsyncStream<ControlPointRequest<LampMessage>>? =
                TypedMutableCharacteristic<LampMessage>(characteristic).controlPointRequests()
            withExtendedLifetime(stream) {}
            stream = nil
            let write = try await world.write([1], to: characteristic)
            #expect(await world.answers(to: write) == [.failure(.requestNotSupported)])
        }
    }
}
