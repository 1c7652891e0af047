// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct NotifyingTests {
        private let on = CentralOperation.setNotifying(Stage.id, Stage.valueID, true, .standard)
        private let off = CentralOperation.setNotifying(Stage.id, Stage.valueID, false, .standard)
        private let socket = CentralOperation.setNotifying(Stage.id, Stage.valueID, true, .socket)

        private func subscribed() async throws -> Stage {
            let stage = try await Stage.connected()
            let id = await stage.request(on)
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            return stage
        }

        private func calls(_ stage: Stage) async -> [String] {
            await stage.stub.run { $0.log.filter { $0.contains("Notify") || $0.hasPrefix("Disconnect") } }
        }

        @Test
        func `a value that comes before the answer to StartNotify is delivered (notify-inside-subscribe.trace)`()
            async throws
        {
            let stage = try await Stage.connected()
            let id = await stage.request(on)
            let call = try await stage.stub.call("StartNotify")
            await stage.stub.run { stub in
                stub.notify(Stage.value, [0xFF])
                call.reply()
            }
            try await #expect(stage.events.value() == [0xFF])
            #expect(try await stage.answer(to: id) == .success(.done))
        }

        @Test func `equal and empty values are delivered, each (notify.trace)`() async throws {
            let stage = try await subscribed()
            await stage.stub.run { stub in
                for value in [[1], [2], [2], []] as [[UInt8]] { stub.notify(Stage.value, value) }
            }
            for value in [[1], [2], [2], []] as [Bytes] { try await #expect(stage.events.value() == value) }
        }

        @Test func `nothing is delivered after notifications are switched off`() async throws {
            let stage = try await subscribed()
            #expect(try await stage.perform(off) == .success(.done))
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await stage.settle()
            #expect(await calls(stage) == ["StartNotify char0011", "StopNotify char0011"])
        }

        @Test(arguments: [1, 26])
        func `what BlueZ refuses while it reads changed services is tried again, for five seconds`(
            refusals: Int
        ) async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(on)
            for refusal in 1...refusals {
                try await stage.stub.call("StartNotify").fail("Failed", "Failed to register notify session")
                if refusal == 26 { break }
                await stage.clock.waitForTimer(within: .milliseconds(200))
                stage.clock.advance(by: .milliseconds(200))
            }
            if refusals == 26 {
                guard case .failure(.backend) = try await stage.answer(to: id) else { throw Unexpected("no failure") }
                return
            }
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
        }

        @Test func `what BlueZ has put off is not tried again once the link is to end`() async throws {
            let stage = try await putOff()
            await stage.command { $0.disconnect(Stage.id) }
            _ = try await stage.stub.call("Disconnect")
            stage.clock.advance(by: .milliseconds(200))
            try await stage.settle()
            #expect(
                await calls(stage)
                    == ["StartNotify char0011", "StopNotify char0011", "Disconnect dev_C0_00_00_00_00_01"])
        }

        @Test func `what BlueZ has put off is not tried again for services that came anew`() async throws {
            let stage = try await putOff()
            try await stage.renewServices()
            let id = await stage.request(on)
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            stage.clock.advance(by: .milliseconds(200))
            try await stage.settle()
            #expect(await calls(stage) == ["StartNotify char0011", "StartNotify char0011"])
        }

        /// A request to notify that waits until BlueZ has read the services.
        private func putOff() async throws -> Stage {
            let stage = try await Stage.connected()
            _ = await stage.request(on)
            try await stage.stub.call("StartNotify").fail("Failed", "Failed to register notify session")
            await stage.clock.waitForTimer(within: .milliseconds(200))
            return stage
        }

        @Test
        func `a subscription that BlueZ says it holds is not made anew once the link is to end`() async throws {
            let stage = try await Stage.connected()
            _ = await stage.request(on)
            let call = try await stage.stub.call("StartNotify")
            await stage.command { $0.disconnect(Stage.id) }
            _ = try await stage.stub.call("Disconnect")
            call.fail("InProgress", "In Progress")
            try await stage.settle()
            #expect(
                await calls(stage)
                    == ["StartNotify char0011", "StopNotify char0011", "Disconnect dev_C0_00_00_00_00_01"])
        }

        @Test func `a refusal gives the peer's code and leaves notifications off`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(on)
            try await stage.stub.call("StartNotify").fail("Failed", "Operation failed with ATT error: 0x80")
            #expect(try await stage.answer(to: id) == .failure(.att(ATTError(rawValue: 0x80))))
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await stage.settle()
        }

        @Test func `a characteristic that does not notify is not asked to`() async throws {
            let stage = try await Stage.connected()
            let operation = CentralOperation.setNotifying(Stage.id, Stage.controlID, true, .standard)
            #expect(try await stage.perform(operation) == .failure(.unsupported))
            #expect(await calls(stage) == [])
        }

        @Test
        func
            `notifications are taken back before a disconnect, so that BlueZ does not keep them for the next connection`()
            async throws
        {
            let stage = try await subscribed()
            await stage.command { $0.disconnect(Stage.id) }
            try await stage.stub.call("Disconnect").reply()
            #expect(
                await calls(stage)
                    == ["StartNotify char0011", "StopNotify char0011", "Disconnect dev_C0_00_00_00_00_01"])
        }

        @Test func `notifications are taken back after a loss (notify-then-disconnect.trace)`() async throws {
            let stage = try await subscribed()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
            #expect(try await stage.stub.call("StopNotify").path == Stage.value)
        }

        @Test
        func `a subscription that BlueZ holds from an earlier connection is taken back and made anew`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(on)
            try await stage.stub.call("StartNotify").fail("InProgress", "In Progress")
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            #expect(
                await calls(stage) == ["StartNotify char0011", "StopNotify char0011", "StartNotify char0011"])
        }

        @Test func `values of services that came anew find their subscription`() async throws {
            let stage = try await subscribed()
            try await stage.renewServices()
            // The characteristic of the old subscription is gone.
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await stage.settle()
            let id = await stage.request(on)
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            await stage.stub.run { $0.notify(Stage.value, [2]) }
            try await #expect(stage.events.value() == [2])
        }

        @Test func `two managers share a subscription, which ends with the last`() async throws {
            let stage = try await subscribed()
            let other = BlueZCentralBackend(bus: stage.bus.address)
            let log = EventLog()
            await run(other) { [clock = stage.clock.clock] in $0.activate(clock: clock, sink: log.sink) }
            try await #expect(log.state() == .poweredOn)
            await run(other) { $0.connect(Stage.id) }
            guard case .connected = try await log.next() else { throw Unexpected("not connected") }
            let (on, off) = (on, off)
            await run(other) { $0.perform(CentralRequest(id: RequestID(rawValue: 1), operation: on)) }
            try await stage.stub.call("StartNotify").fail("InProgress", "In Progress")
            guard case .reply(_, .success(.done)) = try await log.next() else { throw Unexpected("not on") }
            #expect(try await stage.perform(off) == .success(.done))
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await #expect(log.value() == [1])
            #expect(await stage.stub.run { !$0.log.contains("StopNotify char0011") })
            await run(other) { $0.perform(CentralRequest(id: RequestID(rawValue: 2), operation: off)) }
            _ = try await stage.stub.call("StopNotify")
        }

        private func run(
            _ backend: isolated BlueZCentralBackend, _ body: @Sendable (isolated BlueZCentralBackend) -> Void
        ) { body(backend) }

        // MARK: Sockets

        private func acquired(_ stage: Stage) async throws -> SocketEnd {
            let id = await stage.request(socket)
            let end = try await stage.stub.hand(try await stage.stub.call("AcquireNotify"), mtu: 517)
            #expect(try await stage.answer(to: id) == .success(.done))
            return end
        }

        @Test func `values come over the socket in order, and it is closed when they are switched off`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            for byte in 1...50 as ClosedRange<UInt8> { try end.send([byte]) }
            for byte in 1...50 as ClosedRange<UInt8> { try await #expect(stage.events.value() == [byte]) }
            #expect(try await stage.perform(off) == .success(.done))
            #expect(try end.isClosed())
        }

        @Test func `a value that is longer than any may be is passed on, for the manager to count`() async throws {
            let stage = try await Stage.connected()
            let end = try await acquired(stage)
            // The most that BlueZ's MTU of 517 has room for.
            try end.send([UInt8](repeating: 1, count: 514))
            try end.send([2])
            try #require(try await stage.events.value().count == 514)
            try await #expect(stage.events.value() == [2])
        }

        @Test func `a socket that BlueZ closes ends the subscription, unless the link was lost`() async throws {
            let stage = try await Stage.connected()
            var end: SocketEnd? = try await acquired(stage)
            end?.close()
            end = nil
            await stage.clock.waitForTimer(within: .seconds(2))
            stage.clock.advance(by: .seconds(2))
            guard case .notifyingStopped(_, Stage.valueID, _) = try await stage.events.next() else {
                throw Unexpected("not stopped")
            }
            end = try await acquired(stage)
            end?.close()
            await stage.clock.waitForTimer(within: .seconds(2))
            // As bluetoothd does when it is asked to end: it switches the adapter off first.
            stage.clock.advance(by: .milliseconds(1_500))
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
            stage.clock.advance(by: .seconds(1))
            try await stage.settle()
        }

        @Test
        func `the end of a socket that BlueZ closed does not end the subscription that was made after it`() async throws
        {
            let stage = try await Stage.connected()
            try await acquired(stage).close()
            await stage.clock.waitForTimer(within: .seconds(2))
            #expect(try await stage.perform(off) == .success(.done))
            let end = try await acquired(stage)
            stage.clock.advance(by: .seconds(2))
            try await stage.settle()
            try end.send([1])
            try await #expect(stage.events.value() == [1])
        }

        @Test func `without a socket to be had, values come over the bus`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(socket)
            try await stage.stub.call("AcquireNotify").fail("NotSupported", "Operation is not supported")
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await #expect(stage.events.value() == [1])
        }

        @Test(arguments: [("InProgress", "In Progress"), ("NotPermitted", "Notify acquired")])
        func `a socket that BlueZ refuses is sought in no other way once the link is to end`(
            name: String, text: String
        ) async throws {
            let stage = try await Stage.connected()
            _ = await stage.request(socket)
            let call = try await stage.stub.call("AcquireNotify")
            await stage.command { $0.disconnect(Stage.id) }
            _ = try await stage.stub.call("Disconnect")
            call.fail(name, text)
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(10))
            try await stage.settle()
            #expect(await calls(stage) == ["AcquireNotify char0011", "Disconnect dev_C0_00_00_00_00_01"])
        }

        @Test(arguments: [("InProgress", "In Progress"), ("NotPermitted", "Notify acquired")])
        func `a socket that BlueZ refuses is sought in no other way for services that came anew`(
            name: String, text: String
        ) async throws {
            let stage = try await Stage.connected()
            _ = await stage.request(socket)
            let call = try await stage.stub.call("AcquireNotify")
            try await stage.renewServices()
            call.fail(name, text)
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(10))
            try await stage.settle()
            #expect(await calls(stage) == ["AcquireNotify char0011"])
        }

        @Test func `a socket that comes once the link is to end is closed`() async throws {
            let stage = try await Stage.connected()
            _ = await stage.request(socket)
            let call = try await stage.stub.call("AcquireNotify")
            await stage.command { $0.disconnect(Stage.id) }
            _ = try await stage.stub.call("Disconnect")
            let end = try await stage.stub.hand(call, mtu: 517)
            try await stage.settle()
            #expect(try end.isClosed())
        }

        @Test func `a socket of ours that is still closing is waited for`() async throws {
            let stage = try await Stage.connected()
            let id = await stage.request(socket)
            try await stage.stub.call("AcquireNotify").fail("NotPermitted", "Notify acquired")
            await stage.clock.waitForTimer(within: .milliseconds(10))
            stage.clock.advance(by: .milliseconds(10))
            _ = try await stage.stub.hand(try await stage.stub.call("AcquireNotify"), mtu: 517)
            #expect(try await stage.answer(to: id) == .success(.done))
        }
    }
}
#endif
