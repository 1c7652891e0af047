// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct ReadingTests {
        private func subscribed() async throws -> Stage {
            let stage = try await Stage.connected()
            let id = await stage.request(.setNotifying(Stage.id, Stage.valueID, true, .standard))
            try await stage.stub.call("StartNotify").reply()
            guard case .success(.done) = try await stage.answer(to: id) else { throw Unexpected("not subscribed") }
            return stage
        }

        private func reading(_ stage: Stage) async throws -> (RequestID, StubCall) {
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            return (id, try await stage.stub.call("ReadValue"))
        }

        @Test func `a read gives the value that BlueZ answers, and asks for no offset`() async throws {
            let stage = try await Stage.connected()
            let (id, call) = try await reading(stage)
            #expect(call.arguments[0].propertiesValue == [:])
            call.reply(.bytes([1, 2]))
            #expect(try await stage.answer(to: id) == .success(.value([1, 2])))
        }

        @Test func `the echo of a read is no notification (read-while-notifying.trace)`() async throws {
            let stage = try await subscribed()
            let (id, call) = try await reading(stage)
            await stage.stub.run { stub in
                stub.notify(Stage.value, [7])
                call.reply(.bytes([7]))
            }
            #expect(try await stage.answer(to: id) == .success(.value([7])))
        }

        @Test func `a read that the end of its service leaves unanswered holds no later value back`() async throws {
            let stage = try await subscribed()
            let (_, call) = try await reading(stage)
            await stage.stub.run { stub in
                stub.notify(Stage.value, [1])
                stub.remove(Stage.value)
                stub.remove(Stage.service)
                stub.addDatabase()
            }
            try await #expect(stage.events.value() == [1])
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(150))
            guard case .servicesChanged = try await stage.events.next() else { throw Unexpected("no change") }
            let id = await stage.request(.setNotifying(Stage.id, Stage.valueID, true, .standard))
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            await stage.stub.run { $0.notify(Stage.value, [2]) }
            try await #expect(stage.events.value() == [2])
            withExtendedLifetime(call) {}
        }

        @Test func `notifications during a read are delivered in order, also one equal to what is read`() async throws {
            let stage = try await subscribed()
            let (id, call) = try await reading(stage)
            await stage.stub.run { stub in
                for byte in [1, 7, 7] as [UInt8] { stub.notify(Stage.value, [byte]) }
                call.reply(.bytes([7]))
            }
            try await #expect(stage.events.value() == [1])
            try await #expect(stage.events.value() == [7])
            #expect(try await stage.answer(to: id) == .success(.value([7])))
        }

        @Test func `a notification that differs from what is read is delivered before the answer`() async throws {
            let stage = try await subscribed()
            let (id, call) = try await reading(stage)
            await stage.stub.run { stub in
                stub.notify(Stage.value, [1])
                call.reply(.bytes([7]))
            }
            try await #expect(stage.events.value() == [1])
            #expect(try await stage.answer(to: id) == .success(.value([7])))
        }

        @Test func `a notification during a read that fails is delivered`() async throws {
            let stage = try await subscribed()
            let (id, call) = try await reading(stage)
            await stage.stub.run { stub in
                stub.notify(Stage.value, [1])
                call.fail("NotPermitted", "Read not permitted")
            }
            try await #expect(stage.events.value() == [1])
            #expect(try await stage.answer(to: id) == .failure(.att(.readNotPermitted)))
        }

        @Test func `values of a characteristic that nobody here subscribed to are not notifications`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await stage.settle()
        }

        @Test func `an Unlikely Error of a link that is being lost is told as the loss`() async throws {
            let stage = try await Stage.connected()
            let (_, call) = try await reading(stage)
            await stage.stub.run { stub in
                call.fail("Failed", "Operation failed with ATT error: 0x0e")
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)])
            }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
            stage.clock.advance(by: .seconds(10))
            try await stage.settle()
        }

        @Test func `an Unlikely Error of a link that stays is the peer's, after a moment`() async throws {
            let stage = try await Stage.connected()
            let (id, call) = try await reading(stage)
            call.fail("Failed", "Operation failed with ATT error: 0x0e")
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
            #expect(try await stage.answer(to: id) == .failure(.att(.unlikelyError)))
        }

        @Test
        func
            `an Unlikely Error before power is told to be off is that, without a PowerState too (power-off-during-read.trace)`()
            async throws
        {
            let stage = try await Stage.connected()
            let (_, call) = try await reading(stage)
            call.fail("Failed", "Operation failed with ATT error: 0x0e")
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(130))
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)])
                stub.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)])
            }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
        }

        @Test
        func `an Unlikely Error after the ATT time-out is a dead link, which BlueZ takes down (unanswered-read.trace)`()
            async throws
        {
            let stage = try await Stage.connected()
            let (_, call) = try await reading(stage)
            stage.clock.advance(by: .seconds(30))
            call.fail("Failed", "Operation failed with ATT error: 0x0e")
            await stage.clock.waitForTimer(within: .seconds(3))
            stage.clock.advance(by: .seconds(2))
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
        }

        @Test func `a descriptor is read over its own interface`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(.read(Stage.id, AttributeID(handle: 0x16)))
            let call = try await stage.stub.call("ReadValue")
            #expect(call.call.message.interface == BlueZInterface.descriptor)
            call.reply(.bytes([0x48]))
            #expect(try await stage.answer(to: id) == .success(.value([0x48])))
        }

        @Test func `an answer of another type than bytes is a failure, not a trap`() async throws {
            let stage = try await Stage.connected()
            let (id, call) = try await reading(stage)
            call.reply(.string("text"))
            guard case .failure(.backend) = try await stage.answer(to: id) else { throw Unexpected("no failure") }
        }

        @Test func `a read after the link is gone fails at once, without a call`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
            #expect(try await stage.perform(.read(Stage.id, Stage.valueID)) == .failure(.disconnected))
        }
    }
}

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct WritingTests {
        @Test(arguments: [(WriteKind.withResponse, "request"), (.withoutResponse, "command")])
        func `a write says whether it is a request or a command`(kind: WriteKind, type: String) async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(.write(Stage.id, Stage.controlID, [1, 2], kind))
            let call = try await stage.stub.call("WriteValue")
            #expect(call.arguments == [.bytes([1, 2]), .properties(["type": .string(type)])])
            call.reply()
            #expect(try await stage.answer(to: id) == .success(.done))
        }

        @Test func `the configuration descriptor is refused here, with the way to do it`() async throws {
            let stage = try await Stage.connected()
            let operation = CentralOperation.write(Stage.id, AttributeID(handle: 0x13), [1, 0], .withResponse)
            guard case .failure(.backend(let failure)) = try await stage.perform(operation) else {
                throw Unexpected("not refused")
            }
            #expect(failure.message == "BlueZ keeps the descriptor 2902 to itself")
        }

        @Test func `another descriptor is written with no type, which BlueZ would refuse`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(.write(Stage.id, AttributeID(handle: 0x16), [1], .withResponse))
            let call = try await stage.stub.call("WriteValue")
            #expect(call.arguments == [.bytes([1]), .properties([:])])
            call.reply()
            #expect(try await stage.answer(to: id) == .success(.done))
        }

        private func acquired(_ stage: Stage, mtu: UInt16 = 517) async throws -> SocketEnd {
            let id = await stage.request(.write(Stage.id, Stage.controlID, [1], .withoutResponseOverSocket))
            let call = try await stage.stub.call("AcquireWrite")
            let end = try await stage.stub.hand(call, mtu: mtu)
            #expect(try await stage.answer(to: id) == .success(.done))
            #expect(try end.receive() == [1])
            return end
        }

        @Test func `writes over the socket are one packet each, and are not asked for twice`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            for byte in 2...9 as ClosedRange<UInt8> {
                let operation = CentralOperation.write(Stage.id, Stage.controlID, [byte], .withoutResponseOverSocket)
                #expect(try await stage.perform(operation) == .success(.done))
                #expect(try end.receive() == [byte])
            }
            #expect(await stage.stub.run { $0.log.filter { $0.hasPrefix("AcquireWrite") }.count } == 1)
        }

        @Test func `a full socket holds the writer back until BlueZ takes packets again`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            let (waiting, sent) = try await filled(stage)
            for _ in 0..<sent { _ = try end.receive() }
            #expect(try await stage.answer(to: waiting) == .success(.done))
        }

        @Test
        func `a command that waits for a full socket goes over the bus when BlueZ closes the socket`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            let (waiting, _) = try await filled(stage)
            end.close()
            let call = try await stage.stub.call("WriteValue")
            #expect(call.arguments[1] == .properties(["type": .string("command")]))
            call.reply()
            #expect(try await stage.answer(to: waiting) == .success(.done))
        }

        /// Writes until the socket is full: the command that waits, and the number of packets before it.
        private func filled(_ stage: Stage) async throws -> (waiting: RequestID, sent: Int) {
            let value = Bytes([UInt8](repeating: 5, count: 500))
            let operation = CentralOperation.write(Stage.id, Stage.controlID, value, .withoutResponseOverSocket)
            var sent = 0
            while true {
                let id = await stage.request(operation)
                // The answer to a later command shows whether the packet was taken.
                let marker = await stage.request(.readRSSI(Stage.id))
                guard case .reply(let first, _) = try await stage.events.next() else { throw Unexpected("no answer") }
                if first == marker { return (id, sent) }
                sent += 1
                guard case .reply(marker, _) = try await stage.events.next() else { throw Unexpected("no marker") }
            }
        }

        @Test func `what is too long for a packet is refused rather than cut by BlueZ`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage, mtu: 23)
            let value = Bytes([UInt8](repeating: 0, count: 21))
            let operation = CentralOperation.write(Stage.id, Stage.controlID, value, .withoutResponseOverSocket)
            #expect(try await stage.perform(operation) == .failure(.att(.invalidAttributeValueLength)))
            end.close()
        }

        @Test func `without a socket to be had, commands go over the bus`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(.write(Stage.id, Stage.controlID, [1], .withoutResponseOverSocket))
            try await stage.stub.call("AcquireWrite").fail("NotSupported", "Operation is not supported")
            let call = try await stage.stub.call("WriteValue")
            #expect(call.arguments[1] == .properties(["type": .string("command")]))
            call.reply()
            #expect(try await stage.answer(to: id) == .success(.done))
        }

        @Test func `a request closes the socket first, and waits until BlueZ has noticed (acquire.trace)`() async throws
        {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            let id = await stage.request(.write(Stage.id, Stage.controlID, [9], .withResponse))
            try await stage.stub.call("WriteValue").fail("NotPermitted", "Write acquired")
            #expect(try end.isClosed())
            await stage.clock.waitForTimer(within: .milliseconds(10))
            stage.clock.advance(by: .milliseconds(10))
            try await stage.stub.call("WriteValue").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
        }

        @Test func `the socket is closed with the link`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
            #expect(try end.isClosed())
        }
    }
}
#endif
