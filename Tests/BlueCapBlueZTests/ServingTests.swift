// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Dispatch
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct ServingTests {
        private static let central = Central(
            identifier: Stage.id, maximumUpdateLength: 182, security: .unencrypted)
        private let options: StubBlueZ.Properties = ["device": .objectPath(Stage.device), "mtu": .uint16(185)]

        // MARK: Accesses

        @Test func `a write carries its value, offset, central and what fits into an update of that link`() async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve([.read, .write])
            let options = options.merging(["offset": .uint16(7)]) { $1 }
            let call = try await served.begin("WriteValue", [.bytes([1, 2]), .properties(options)])
            let access = try await stage.access()
            #expect(access.attribute == PeripheralStage.characteristic)
            #expect(access.central == Self.central)
            #expect(access.kind == .write([1, 2], offset: 7, .unknown))
            await stage.command { $0.respond(to: access.id, .success([])) }
            _ = try await call.value.get()
        }

        @Test
        func `a read carries its offset, and is answered with the bytes or the error that it was given`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.read)
            let options = options.merging(["offset": .uint16(22)]) { $1 }
            let call = try await served.begin("ReadValue", [.properties(options)])
            let access = try await stage.access()
            #expect(access.kind == .read(offset: 22))
            await stage.command { $0.respond(to: access.id, .success([5, 6])) }
            #expect(try await call.value.get().body() == [.bytes([5, 6])])
            let refused = try await served.begin("ReadValue", [.properties([:])])
            let second = try await stage.access()
            #expect(second.kind == .read(offset: 0))
            #expect(second.central == nil)
            await stage.command { $0.respond(to: second.id, .failure(ATTError(rawValue: 0x81))) }
            let error = DBusError.remote(name: "org.bluez.Error.Failed", message: "0x81")
            await #expect(throws: error) { try await refused.value.get() }
        }

        @Test func `a write that only asks whether it would be taken is answered without the app`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.write)
            _ = try await served.call("WriteValue", [.bytes([1]), .properties(["prepare-authorize": .bool(true)])])
            let call = try await served.begin("WriteValue", [.bytes([2]), .properties(options)])
            let access = try await stage.access()
            #expect(access.kind == .write([2], offset: 0, .unknown))
            await stage.command { $0.respond(to: access.id, .success([])) }
            _ = try await call.value.get()
        }

        // MARK: Commands over a socket

        @Test
        func `a value that is written to the socket of AcquireWrite arrives as a command of its central`() async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.writeWithoutResponse, usesWriteSocket: true)
            let (socket, unit) = try await served.acquire("AcquireWrite", options)
            #expect(unit == 185)
            for byte in 1...3 as ClosedRange<UInt8> { try socket.send([byte, 0xFF]) }
            for byte in 1...3 as ClosedRange<UInt8> {
                let access = try await stage.access()
                #expect(access.attribute == PeripheralStage.characteristic)
                #expect(access.kind == .write([byte, 0xFF], offset: 0, .command))
                #expect(access.central == Self.central)
            }
        }

        @Test func `a command that is longer than a value may be arrives all the same`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.writeWithoutResponse, usesWriteSocket: true)
            let (socket, _) = try await served.acquire("AcquireWrite", options)
            let value = [UInt8](repeating: 1, count: 514)
            try socket.send(value)
            try socket.send([2])
            try #require(try await stage.access().kind == .write(Bytes(value), offset: 0, .command))
            #expect(try await stage.access().kind == .write([2], offset: 0, .command))
        }

        @Test(
            arguments: [
                (CharacteristicProperties.writeWithoutResponse, true, true), (.writeWithoutResponse, false, false),
                ([.write, .writeWithoutResponse], true, false), (.write, true, false),
            ] as [(CharacteristicProperties, Bool, Bool)])
        func `a socket for writes is offered only where it was asked for and commands are the only way to write`(
            _ properties: CharacteristicProperties, _ isAskedFor: Bool, _ isOffered: Bool
        ) async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(properties, usesWriteSocket: isAskedFor)
            let exported = try await served.objects(BlueZInterface.characteristic).values.first
            #expect((exported?["WriteAcquired"] == .bool(false)) == isOffered)
        }

        // MARK: Subscribers

        @Test
        func `subscriptions by StartNotify are one subscriber without a name, however often they are told`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            _ = try await served.call("StartNotify")
            _ = try await served.call("StartNotify")
            let central = try await stage.subscriber(of: PeripheralStage.characteristic)
            #expect(central.isAggregate)
            #expect(central.maximumUpdateLength == nil)
            _ = try await served.call("StopNotify")
            guard case .unsubscribed(PeripheralStage.characteristic, central) = try await stage.next() else {
                throw Unexpected("not unsubscribed")
            }
        }

        @Test func `of values over the bus no more than 64 are on their way to a daemon that does not read`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve([.notify, .indicate])
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            stage.bus.suspend()
            for number in 1...63 as ClosedRange<UInt8> {
                try await stage.answer(to: await stage.update([number])).get()
            }
            let last = await stage.update([64])
            await stage.command { _ in }
            #expect(stage.eventCount == 0)
            stage.bus.resume()
            try await stage.answer(to: last).get()
        }

        @Test
        func
            `a subscriber by AcquireNotify has the name and the length that the daemon tells, and is sent values alone`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.notify)
            let (socket, unit) = try await served.acquire("AcquireNotify", options)
            #expect(unit == 185)
            let central = try await stage.subscriber(of: PeripheralStage.characteristic)
            #expect(central == Self.central)
            #expect(!central.isAggregate)
            let update = await stage.request(.update(PeripheralStage.characteristic, [7, 8], central: Stage.id))
            try await stage.answer(to: update).get()
            #expect(try socket.receive() == [7, 8])
            socket.close()
            guard case .unsubscribed(_, central) = try await stage.next() else { throw Unexpected("still there") }
        }

        @Test func `a subscriber by AcquireNotify whom the daemon does not name is an aggregate`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.notify)
            let (socket, _) = try await served.acquire("AcquireNotify", ["mtu": .uint16(185)])
            let central = try await stage.subscriber(of: PeripheralStage.characteristic)
            #expect(central.isAggregate)
            socket.close()
        }

        @Test
        func `the first subscriber of a socket that stays when it leaves becomes an aggregate after a moment`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.notify)
            let (socket, _) = try await served.acquire("AcquireNotify", options)
            let first = try await stage.subscriber(of: PeripheralStage.characteristic)
            await stage.addOther()
            await stage.set(["Connected": .bool(false)])
            await stage.passSettlingTime()
            guard case .unsubscribed(_, first) = try await stage.next() else { throw Unexpected("still there") }
            #expect(try await stage.subscriber(of: PeripheralStage.characteristic).isAggregate)
            socket.close()
        }

        @Test func `where what is sent to one subscriber goes to all, one socket serves them`() async throws {
            let stage = try await PeripheralStage(modalias: "usb:v1D6Bp0246d0548")
            #expect(!stage.backend.features.contains(.individualSubscribers))
            let served = try await stage.serve(.notify)
            let (first, _) = try await served.acquire("AcquireNotify", options)
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let (second, _) = try await served.acquire("AcquireNotify", ["mtu": .uint16(185)])
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let one = await stage.request(.update(PeripheralStage.characteristic, [1], central: nil))
            try await stage.answer(to: one).get()
            #expect(try first.receive() == [1])
            first.close()
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("still there") }
            let two = await stage.request(.update(PeripheralStage.characteristic, [2], central: nil))
            try await stage.answer(to: two).get()
            #expect(try second.receive() == [2])
        }

        @Test(arguments: ["usb:v1D6Bp0246d054C", "usb:v1234p0246d0548"])
        func `subscribers are told apart by the versions after these, and where the version is not known`(
            _ modalias: String
        ) async throws {
            let stage = try await PeripheralStage(modalias: modalias)
            #expect(stage.backend.features.contains(.individualSubscribers))
            let served = try await stage.serve(.notify)
            let (first, _) = try await served.acquire("AcquireNotify", options)
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let (second, _) = try await served.acquire("AcquireNotify", ["mtu": .uint16(185)])
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let update = await stage.request(.update(PeripheralStage.characteristic, [1], central: nil))
            try await stage.answer(to: update).get()
            #expect(try first.receive() == [1])
            #expect(try second.receive() == [1])
        }

        @Test
        func `before 5.69 values go once to two who subscribed at the same time, and the end of one is that of both`()
            async throws
        {
            let stage = try await PeripheralStage(modalias: "usb:v1D6Bp0246d0542")
            #expect(!stage.backend.features.contains(.individualSubscribers))
            let served = try await stage.serve(.notify)
            let (first, _) = try await served.acquire("AcquireNotify", options)
            let central = try await stage.subscriber(of: PeripheralStage.characteristic)
            let (second, _) = try await served.acquire("AcquireNotify", ["mtu": .uint16(185)])
            let other = try await stage.subscriber(of: PeripheralStage.characteristic)
            let update = await stage.request(.update(PeripheralStage.characteristic, [1], central: nil))
            try await stage.answer(to: update).get()
            #expect(try first.receive() == [1])
            #expect(throws: Unexpected.self) { try second.receive() }
            second.close()
            guard case .unsubscribed(_, central) = try await stage.next() else { throw Unexpected("still there") }
            guard case .unsubscribed(_, other) = try await stage.next() else { throw Unexpected("still there") }
            #expect(try first.isClosed())
        }

        @Test
        func `a value that was sent is answered before the end of the radio, however late the answer is told`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.notify)
            let (socket, _) = try await served.acquire("AcquireNotify", options)
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let request = PeripheralRequest(
                id: RequestID(rawValue: 100), operation: .update(PeripheralStage.characteristic, [1], central: nil))
            // The backend's thread looks at the bus only when the daemon's end has come over it.
            let isGone = DispatchSemaphore(value: 0)
            let (begun, continuation) = AsyncStream<Void>.makeStream()
            async let command: Void = stage.command { backend in
                backend.perform(request)
                continuation.finish()
                _ = isGone.wait(timeout: .now() + 600)
            }
            for await _ in begun {}
            try await stage.stub.leave()
            isGone.signal()
            await command
            #expect(try socket.receive() == [1])
            try await stage.answer(to: request.id).get()
            guard case .stateChanged = try await stage.next() else { throw Unexpected("no end") }
        }

        // MARK: Registrations

        @Test(
            arguments: [
                (CharacteristicProperties.read, AttributePermissions.readable, ["read"]),
                (.read, .readEncryptionRequired, ["encrypt-read"]), (.write, .writeable, ["write"]),
                (.write, .writeEncryptionRequired, ["encrypt-write"]),
                (.writeWithoutResponse, .writeable, ["write-without-response"]),
                (.writeWithoutResponse, .writeEncryptionRequired, ["write-without-response", "encrypt-write"]),
                (
                    [.write, .writeWithoutResponse], .writeEncryptionRequired,
                    ["encrypt-write", "write-without-response"]
                ),
                (.notify, [], ["notify"]), (.notifyEncryptionRequired, [], ["encrypt-notify"]),
                (.indicate, [], ["indicate"]), (.indicateEncryptionRequired, [], ["encrypt-indicate"]),
                ([.notify, .notifyEncryptionRequired], [], ["encrypt-notify"]),
                (.read, [.readable, .readAuthenticationRequired], ["encrypt-authenticated-read"]),
                (.read, [.readAuthenticationRequired, .readSecureConnectionsRequired], ["secure-read"]),
                (.write, .writeAuthenticationRequired, ["encrypt-authenticated-write"]),
                (.write, [.writeEncryptionRequired, .writeSecureConnectionsRequired], ["secure-write"]),
                (
                    .writeWithoutResponse, .writeAuthenticationRequired,
                    ["write-without-response", "encrypt-authenticated-write"]
                ),
                (.notify, .readEncryptionRequired, ["notify"]),
                (.notify, .readAuthenticationRequired, ["encrypt-authenticated-notify"]),
                (.indicateEncryptionRequired, .readSecureConnectionsRequired, ["secure-indicate"]),
            ] as [(CharacteristicProperties, AttributePermissions, [String])])
        func `properties and permissions are told to the daemon as its flags`(
            _ properties: CharacteristicProperties, _ permissions: AttributePermissions, _ flags: [String]
        ) async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(properties, permissions: permissions)
            let exported = try await served.objects(BlueZInterface.characteristic).values.first
            #expect(exported?["Flags"] == .strings(flags))
        }

        @Test func `descriptors are told with their own permissions`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.add(
                PeripheralStage.service(
                    1,
                    .init(
                        id: PeripheralStage.characteristic, uuid: "2A37", properties: .read, permissions: .readable,
                        descriptors: [
                            .init(
                                id: AttributeID(rawValue: 3), uuid: "2901",
                                permissions: [.readEncryptionRequired, .writeEncryptionRequired])
                        ])))
            let exported = try await served.objects(BlueZInterface.descriptor).values.first
            #expect(exported?["Flags"] == .strings(["encrypt-read", "encrypt-write"]))
        }

        @Test
        func `the backend says that a write which may also be a command is answered with success by the daemon`()
            async throws
        {
            let stage = try await PeripheralStage()
            #expect(stage.backend.features.contains(.confirmsAmbiguousWrites))
        }
    }
}
#endif
