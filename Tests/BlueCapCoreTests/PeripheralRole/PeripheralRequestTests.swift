// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: reads and writes", .timeLimit(.minutes(60)))
struct PeripheralRequestTests {
    // MARK: Reads

    @Test(arguments: [
        (0, Result<Bytes, ATTError>.success([1, 2, 3])), (2, .success([3])), (3, .success([])),
        (4, .failure(.invalidOffset)), (-1, .failure(.invalidOffset)),
    ])
    func `a read is answered from the value, from its offset on`(_ offset: Int, _ answer: Result<Bytes, ATTError>)
        async throws
    {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1, 2, 3])
            #expect(try await world.read(characteristic, from: offset) == [answer])
        }
    }

    @Test
    func `a value that was set before the service was added is read, and no value reads as no bytes`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = MutableCharacteristic(uuid: "2A19")
            let service = MutableService(uuid: "180F")
            service.characteristics = [characteristic]
            characteristic.value = [9]
            try await world.add(service)
            #expect(try await world.read(characteristic) == [.success([9])])
            characteristic.value = nil
            #expect(try await world.read(characteristic) == [.success([])])
        }
    }

    @Test(arguments: [
        (CharacteristicProperties.write, AttributePermissions.readable), (.read, .writeable),
    ])
    func `what is not readable is not read`(_ properties: CharacteristicProperties, _ permissions: AttributePermissions)
        async throws
    {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: properties, permissions: permissions)
            let requests = await world.recorder(characteristic.readRequests())
            #expect(try await world.read(characteristic) == [.failure(.readNotPermitted)])
            #expect(requests.all.isEmpty)
        }
    }

    @Test func `an attribute that nobody has is answered with an unlikely error`() async throws {
        try await PeripheralWorld.run { world in
            let read = await world.backend.access(AttributeID(rawValue: 99), .read(offset: 0), nil)
            let write = await world.backend.access(
                AttributeID(rawValue: 99), .write([1], offset: 0, .request), nil)
            #expect(await world.answers(to: read) == [.failure(.unlikelyError)])
            #expect(await world.answers(to: write) == [.failure(.unlikelyError)])
        }
    }

    @Test
    func `an app that reads requests answers them itself, with the rest of its value, an error, or the own value`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [7])
            let requests = await world.recorder(characteristic.readRequests())
            #expect(try await world.read(characteristic, from: 1) == [])
            let first = try #require(requests.all.first)
            #expect(first.offset == 1)
            #expect(first.central == PeripheralWorld.one)
            #expect(first.characteristic == characteristic)
            #expect(first.respond([1, 2, 3]))
            #expect(!first.respond([4]))
            #expect(!first.respond(.unlikelyError))
            #expect(await world.answers(to: AccessID(rawValue: 1)) == [.success([2, 3])])
            #expect(characteristic.value == [7])
            _ = try await world.read(characteristic)
            #expect(requests.all[1].respond(.insufficientAuthorization))
            #expect(await world.answers(to: AccessID(rawValue: 2)) == [.failure(.insufficientAuthorization)])
            _ = try await world.read(characteristic)
            #expect(requests.all[2].respond(.success))
            #expect(await world.answers(to: AccessID(rawValue: 3)) == [.success([7])])
            _ = try await world.read(characteristic, from: 2)
            #expect(!requests.all[3].respond([1]))
            #expect(await world.answers(to: AccessID(rawValue: 4)) == [.failure(.invalidOffset)])
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `reads are answered from the value again when the app stops reading requests`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [7])
            var stream: AsyncStream<AttributeReadRequest>? = characteristic.readRequests()
            #expect(try await world.read(characteristic) == [])
            withExtendedLifetime(stream) {}
            stream = nil
            #expect(await world.answers(to: AccessID(rawValue: 1)) == [.failure(.unlikelyError)])
            #expect(try await world.read(characteristic) == [.success([7])])
        }
    }

    // MARK: Writes

    @Test func `accepting commits the value and answers success, once`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1])
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2, 3], to: characteristic)
            let request = try #require(requests.all.first)
            #expect(request.value == [2, 3])
            #expect(request.offset == 0)
            #expect(request.central == PeripheralWorld.one)
            #expect(request.kind == .request)
            #expect(request.characteristic == characteristic)
            #expect(request.isOpen)
            #expect(characteristic.value == [1])
            #expect(await world.answers(to: access).isEmpty)
            #expect(request.accept())
            #expect(characteristic.value == [2, 3])
            #expect(!request.accept())
            #expect(!request.respond(.unlikelyError))
            #expect(!request.isOpen)
            #expect(await world.answers(to: access) == [.success([])])
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `a refused write changes nothing; an answer of success leaves the value to the app`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1])
            let requests = await world.recorder(characteristic.writeRequests())
            let first = try await world.write([2], to: characteristic)
            #expect(requests.all[0].respond(.invalidAttributeValueLength))
            #expect(await world.answers(to: first) == [.failure(.invalidAttributeValueLength)])
            let second = try await world.write([2], to: characteristic)
            #expect(requests.all[1].respond(.success))
            #expect(await world.answers(to: second) == [.success([])])
            #expect(characteristic.value == [1])
        }
    }

    @Test func `an error that the platform cannot send is told to the app, and 0x0E is sent`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2], to: characteristic)
            #expect(!ATTError.insufficientResources.isSendable(on: world.manager))
            #expect(ATTError.outOfRange.isSendable(on: world.manager))
            #expect(requests.all.first?.respond(.insufficientResources) == false)
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
        }
    }

    @Test
    func `the other access's "not permitted" is told to the app, and 0x0E is sent`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [7])
            let writes = await world.recorder(characteristic.writeRequests())
            let write = try await world.write([2], to: characteristic)
            #expect(writes.all.first?.respond(.readNotPermitted) == false)
            #expect(await world.answers(to: write) == [.failure(.unlikelyError)])
            let reads = await world.recorder(characteristic.readRequests())
            _ = try await world.read(characteristic)
            #expect(reads.all.first?.respond(.writeNotPermitted) == false)
            #expect(await world.answers(to: AccessID(rawValue: 2)) == [.failure(.unlikelyError)])
        }
    }

    @Test
    func `bytes are written at their offset; beyond the end, or past 512 bytes, they are refused`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1, 2, 3])
            let requests = await world.recorder(characteristic.writeRequests())
            let inside = try await world.write([9], at: 1, to: characteristic)
            #expect(requests.all[0].accept())
            #expect(characteristic.value == [1, 9])
            #expect(await world.answers(to: inside) == [.success([])])
            _ = try await world.write([5], at: 2, .prepared, to: characteristic)
            #expect(requests.all[1].accept())
            #expect(characteristic.value == [1, 9, 5])
            let beyond = try await world.write([5], at: 4, to: characteristic)
            #expect(!requests.all[2].accept())
            #expect(await world.answers(to: beyond) == [.failure(.invalidOffset)])
            let long = try await world.write(Bytes([UInt8](repeating: 0, count: 511)), at: 2, to: characteristic)
            #expect(await world.answers(to: long) == [.failure(.invalidAttributeValueLength)])
            let far = try await world.write([], at: 513, to: characteristic)
            #expect(await world.answers(to: far) == [.failure(.invalidOffset)])
            #expect(requests.all.count == 3)
            #expect(characteristic.value == [1, 9, 5])
        }
    }

    @Test func `without a stream a write is not supported`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1])
            let access = try await world.write([2], to: characteristic)
            #expect(await world.answers(to: access) == [.failure(.requestNotSupported)])
            #expect(characteristic.value == [1])
        }
    }

    @Test(arguments: [
        (CharacteristicProperties.read, AttributePermissions.writeable, WriteRequestKind.unknown),
        (.write, .readable, .request), (.write, .writeable, .command),
        (.writeWithoutResponse, .writeable, .request),
        (.writeWithoutResponse, .writeable, .prepared),
    ])
    func `what is not writeable in this way is not written`(
        _ properties: CharacteristicProperties, _ permissions: AttributePermissions, _ kind: WriteRequestKind
    ) async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: properties, permissions: permissions)
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2], kind, to: characteristic)
            #expect(await world.answers(to: access) == [.failure(.writeNotPermitted)])
            #expect(requests.all.isEmpty)
        }
    }

    @Test(arguments: [
        (CharacteristicProperties.write, WriteRequestKind.request), (.write, .prepared), (.write, .unknown),
        (.writeWithoutResponse, .command), (.writeWithoutResponse, .unknown),
        (.authenticatedSignedWrites, .command),
    ])
    func `each way of writing reaches the app where the properties offer it`(
        _ properties: CharacteristicProperties, _ kind: WriteRequestKind
    ) async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(
                properties: properties, permissions: .writeEncryptionRequired)
            let requests = await world.recorder(characteristic.writeRequests())
            _ = try await world.write([2], kind, to: characteristic)
            #expect(requests.all.map(\.kind) == [kind])
        }
    }

    @Test func `a request that is released without an answer is answered with an unlikely error`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let loop = await world.start { for await _ in characteristic.writeRequests() {} }
            let access = try await world.write([2], to: characteristic)
            let next = try await world.write([3], to: characteristic)
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
            await world.cancel(loop)
            #expect(await world.answers(to: next) == [.failure(.unlikelyError)])
        }
    }

    @Test func `requests in a stream that is released are answered with an unlikely error`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            var stream: AsyncStream<WriteRequest>? = characteristic.writeRequests()
            let access = try await world.write([2], to: characteristic)
            #expect(await world.answers(to: access).isEmpty)
            withExtendedLifetime(stream) {}
            stream = nil
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
        }
    }

    @Test func `of a full stream the oldest request is answered for want of resources, and counted`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let stream = characteristic.writeRequests(capacity: .newest(2))
            let first = try await world.write([1], to: characteristic)
            let second = try await world.write([2], to: characteristic)
            _ = try await world.write([3], to: characteristic)
            // The scripted platform cannot send 0x11, so that 0x0E takes its place.
            #expect(await world.answers(to: first) == [.failure(.unlikelyError)])
            #expect(await world.answers(to: second).isEmpty)
            #expect(characteristic.droppedRequestCount == 1)
            let requests = await world.recorder(stream)
            #expect(requests.all.map(\.value) == [[2], [3]])
        }
    }

    @Test func `a request that one full stream dropped can still be answered by another`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let narrow = characteristic.writeRequests(capacity: .newest(1))
            let wide = await world.recorder(world.manager.writeRequests())
            let first = try await world.write([1], to: characteristic)
            _ = try await world.write([2], to: characteristic)
            #expect(await world.answers(to: first).isEmpty)
            #expect(wide.all.first?.accept() == true)
            #expect(await world.answers(to: first) == [.success([])])
            withExtendedLifetime(narrow) {}
        }
    }

    @Test func `every stream gets the same request, and the first answer counts`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let own = await world.recorder(characteristic.writeRequests())
            let all = await world.recorder(world.manager.writeRequests())
            let access = try await world.write([1], to: characteristic)
            #expect(all.all.first?.respond(.outOfRange) == true)
            #expect(own.all.first?.accept() == false)
            #expect(await world.answers(to: access) == [.failure(.outOfRange)])
        }
    }

    @Test(arguments: [(Duration?.some(.seconds(10)), Duration.seconds(8)), (nil, .seconds(25))])
    func `a request that the app keeps too long is answered before the platform gives up`(
        _ limit: Duration?, _ deadline: Duration
    ) async throws {
        try await PeripheralWorld.run(accessTimeLimit: limit) { world in
            let characteristic = try await world.characteristic(value: [1])
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2], to: characteristic)
            await world.advance(by: deadline - .milliseconds(1))
            #expect(await world.answers(to: access).isEmpty)
            await world.advance(by: .milliseconds(1))
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
            #expect(requests.all.first?.accept() == false)
            #expect(characteristic.value == [1])
        }
    }

    @Test func `a request whose central is gone is worth nothing any more, and is not answered`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1])
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2], to: characteristic)
            await world.emit(.accessCancelled(access))
            #expect(requests.all.first?.isOpen == false)
            #expect(requests.all.first?.accept() == false)
            #expect(await world.answers(to: access).isEmpty)
            #expect(characteristic.value == [1])
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `a descriptor is read and written as its permissions allow`() async throws {
        try await PeripheralWorld.run { world in
            let open = MutableDescriptor(uuid: "2901", permissions: [.readable, .writeable], value: [1, 2])
            let closed = MutableDescriptor(uuid: "2904", permissions: [])
            let characteristic = MutableCharacteristic(uuid: "2A19")
            characteristic.descriptors = [open, closed]
            let service = MutableService(uuid: "180F")
            service.characteristics = [characteristic]
            try await world.add(service)
            guard case .add(let local)? = await world.backend.operations.first else { throw CancellationError() }
            let ids = local.characteristics[0].descriptors.map(\.id)
            func answer(_ id: AttributeID, _ kind: AttributeAccess.Kind) async -> [Result<Bytes, ATTError>] {
                await world.answers(to: await world.backend.access(id, kind, nil))
            }
            #expect(await answer(ids[0], .read(offset: 1)) == [.success([2])])
            #expect(await answer(ids[0], .write([3], offset: 1, .request)) == [.success([])])
            #expect(open.value == [1, 3])
            #expect(await answer(ids[0], .write([3], offset: 3, .request)) == [.failure(.invalidOffset)])
            #expect(await answer(ids[1], .read(offset: 0)) == [.failure(.readNotPermitted)])
            #expect(await answer(ids[1], .write([3], offset: 0, .request)) == [.failure(.writeNotPermitted)])
            #expect(closed.value == nil)
        }
    }

    @Test func `requests that many tasks answer at once are answered once each`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let requests = await world.recorder(characteristic.writeRequests())
            var accesses: [AccessID] = []
            for value in 0..<50 { accesses.append(try await world.write([UInt8(value)], to: characteristic)) }
            let wins = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        requests.all.count {
                            $0.value.first.map { $0.isMultiple(of: 2) } == true ? $0.accept() : $0.respond(.outOfRange)
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(wins == 50)
            for access in accesses { #expect(await world.answers(to: access).count == 1) }
            #expect(world.clock.timerCount == 0)
        }
    }
}
