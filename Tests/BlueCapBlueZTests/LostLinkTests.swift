// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPlatform
import BlueCapPrivateBus
import BlueCapRuntime
import BlueCapSerDe
import Testing

extension OverABus {
    /// Values that had arrived when a link ends, and the state that the end leaves behind in BlueZ.
    @Suite(.timeLimit(.minutes(60)))
    struct LostLinkTests {
        private func subscribed(_ transport: NotificationTransport = .standard) async throws -> Stage {
            let stage = try await Stage.connected()
            let id = await stage.request(.setNotifying(Stage.id, Stage.valueID, true, transport))
            if transport == .standard {
                try await stage.stub.call("StartNotify").reply()
                #expect(try await stage.answer(to: id) == .success(.done))
            }
            return stage
        }

        private func lose(_ stage: Stage) async {
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
        }

        private func expectLoss(_ stage: Stage) async throws {
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not the loss") }
        }

        @Test
        func `values that wait in the notification socket when the link's end is told are delivered before it`()
            async throws
        {
            let stage = try await subscribed(.socket)
            let end = try await stage.stub.hand(try await stage.stub.call("AcquireNotify"), mtu: 517)
            guard case .reply(_, .success(.done)) = try await stage.events.next() else { throw Unexpected("not on") }
            try await stage.holdingBackend {
                await lose(stage)
                for byte in 0..<200 as Range<UInt8> { try end.send([byte]) }
                end.close()
            }
            for byte in 0..<200 as Range<UInt8> { try await #expect(stage.events.value() == [byte]) }
            try await expectLoss(stage)
        }

        @Test
        func `values that wait in the notification socket when the power goes off are delivered before it`()
            async throws
        {
            let stage = try await subscribed(.socket)
            let end = try await stage.stub.hand(try await stage.stub.call("AcquireNotify"), mtu: 517)
            guard case .reply(_, .success(.done)) = try await stage.events.next() else { throw Unexpected("not on") }
            try await stage.holdingBackend {
                await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
                for byte in 0..<200 as Range<UInt8> { try end.send([byte]) }
            }
            for byte in 0..<200 as Range<UInt8> { try await #expect(stage.events.value() == [byte]) }
            try await #expect(stage.events.state() == .poweredOff)
        }

        @Test
        func `a value that may be the echo of a read is delivered when the link ends before the read's answer`()
            async throws
        {
            let stage = try await subscribed()
            await stage.request(.read(Stage.id, Stage.valueID))
            let read = try await stage.stub.call("ReadValue")
            await stage.stub.run { $0.notify(Stage.value, [7]) }
            await lose(stage)
            try await #expect(stage.events.value() == [7])
            try await expectLoss(stage)
            read.fail("Failed", "Operation failed with ATT error: 0x0e")
        }

        @Test
        func `a subscription that the power's end took away is made anew, and not taken for another manager's`()
            async throws
        {
            let stage = try await subscribed()
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            try await #expect(stage.events.state() == .poweredOff)
            #expect(try await stage.stub.call("StopNotify").path == Stage.value)
            await lose(stage)
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(true)]) }
            try await #expect(stage.events.state() == .poweredOn)
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
            try await stage.connect()
            let id = await stage.request(.setNotifying(Stage.id, Stage.valueID, true, .standard))
            // For a second manager of this process that would mean that the first one's is on.
            try await stage.stub.call("StartNotify").fail("InProgress", "In Progress")
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
        }
    }
}

extension Stage {
    /// Runs `body` while the backend's thread stands still, so that all messages sent meanwhile wait for it in the
    /// kernel.
    func holdingBackend(_ body: () async throws -> Void) async throws {
        let (begun, isHeld) = (Mailbox<Void, Never>(capacity: .unbounded), Locked(true))
        async let held: Void = command { _ in
            _ = begun.push(())
            while isHeld.withLock({ $0 }) { sched_yield() }
        }
        _ = await begun.next()
        defer { isHeld.withLock { $0 = false } }
        try await body()
        // The bus answers the stub only after it has passed on the stub's earlier messages.
        _ = await stub.invoke(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
        isHeld.withLock { $0 = false }
        await held
    }
}
#endif
