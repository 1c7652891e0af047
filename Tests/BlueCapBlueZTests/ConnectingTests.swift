// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct ConnectingTests {
        private let device = BlueZInterface.device

        private func known(_ properties: [String: StubBlueZ.Properties] = Stage.deviceProperties()) async throws
            -> Stage
        {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, properties) }
            try await stage.settle()
            return stage
        }

        private func connecting() async throws -> (Stage, StubCall) {
            let stage = try await known()
            await stage.command { $0.connect(Stage.id) }
            return (stage, try await stage.stub.call("Connect"))
        }

        private func failure(_ stage: Stage) async throws -> OperationFailure {
            let event = try await stage.events.next()
            guard case .connectFailed(Stage.id, let failure) = event else { throw Unexpected("\(event)") }
            return failure
        }

        private func expectDisconnected(_ stage: Stage) async throws {
            let event = try await stage.events.next()
            guard case .disconnected(Stage.id, nil) = event else { throw Unexpected("\(event)") }
        }

        @Test func `a connection is made when Connect is answered, not before`() async throws {
            let (stage, call) = try await connecting()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)]) }
            try await stage.settle()
            call.reply()
            guard case .connected(Stage.id, maximumTransmissionUnit: nil) = try await stage.events.next() else {
                throw Unexpected("not connected")
            }
        }

        @Test func `an answer that comes before Connected waits for it`() async throws {
            let (stage, call) = try await connecting()
            call.reply()
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)]) }
            guard case .connected = try await stage.events.next() else { throw Unexpected("not connected") }
        }

        @Test func `a link that is up although BlueZ never said Connected is found, and its end is told`() async throws
        {
            let (stage, call) = try await connecting()
            await stage.stub.run { $0.keep(Stage.device, BlueZInterface.device, ["Connected": .bool(true)]) }
            call.reply()
            guard case .connected = try await stage.events.next() else { throw Unexpected("not connected") }
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("still connected") }
        }

        @Test func `it is found, too, when BlueZ takes long to say so`() async throws {
            let (stage, call) = try await connecting()
            await stage.stub.run { stub in
                stub.holdsObjects = true
                stub.keep(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
            }
            call.reply()
            let reading = try await stage.stub.call("GetManagedObjects")
            stage.clock.advance(by: .seconds(10))
            await stage.stub.run { reading.reply($0.managed) }
            guard case .connected = try await stage.events.next() else { throw Unexpected("not connected") }
        }

        @Test func `an answer without Connected fails in the end`() async throws {
            let (stage, call) = try await connecting()
            call.reply()
            await stage.clock.waitForTimer(within: .seconds(2))
            stage.clock.advance(by: .seconds(2))
            #expect(try await failure(stage) == .disconnected)
        }

        @Test func `a failed attempt gives BlueZ's words`() async throws {
            let (stage, call) = try await connecting()
            call.fail("Failed", "le-connection-refused")
            guard case .backend(let failure) = try await failure(stage) else { throw Unexpected("no words") }
            #expect(failure.message == "le-connection-refused")
            #expect(!failure.isTransient)
        }

        @Test
        func
            `an attempt that fails while BlueZ still says connected is told when that is over (connect-refused.trace)`()
            async throws
        {
            let (stage, call) = try await connecting()
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
                call.fail("Failed", "le-connection-abort-by-local")
            }
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .backend(let failure) = try await failure(stage) else { throw Unexpected("no words") }
            #expect(failure.isTransient)
        }

        @Test(arguments: [("InProgress", "In Progress"), ("Failed", "Operation already in progress")])
        func `somebody else's attempt is waited for (connect-cancelled.trace)`(name: String, text: String) async throws
        {
            let (stage, call) = try await connecting()
            call.fail(name, text)
            await stage.clock.waitForTimer(within: .seconds(1))
            stage.clock.advance(by: .seconds(1))
            let second = try await stage.stub.call("Connect")
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
                second.reply()
            }
            guard case .connected = try await stage.events.next() else { throw Unexpected("not connected") }
        }

        @Test func `an attempt that is taken back ends with Disconnect and BlueZ's answer to both`() async throws {
            let (stage, call) = try await connecting()
            await stage.command { $0.disconnect(Stage.id) }
            let disconnect = try await stage.stub.call("Disconnect")
            await stage.stub.run { _ in
                call.fail("Failed", "br-connection-canceled")
                disconnect.reply()
            }
            _ = try await failure(stage)
            try await stage.settle()
        }

        @Test func `an attempt that succeeds although it was taken back is never told as a connection`() async throws {
            let (stage, call) = try await connecting()
            await stage.command { $0.disconnect(Stage.id) }
            let disconnect = try await stage.stub.call("Disconnect")
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
                call.reply()
            }
            try await stage.settle()
            await stage.stub.run { stub in
                disconnect.reply()
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)])
            }
            _ = try await failure(stage)
        }

        @Test
        func `an attempt that waits for somebody else's and is taken back ends with the answer to Disconnect`()
            async throws
        {
            let (stage, call) = try await connecting()
            call.fail("Failed", "Operation already in progress")
            await stage.clock.waitForTimer(within: .seconds(1))
            await stage.command { $0.disconnect(Stage.id) }
            try await stage.stub.call("Disconnect").reply()
            #expect(try await failure(stage) == .disconnected)
        }

        @Test func `a device that goes with the power during the attempt is told as power that went off`() async throws
        {
            let (stage, call) = try await connecting()
            await stage.stub.run { $0.remove(Stage.device) }
            // A bluetoothd without `PowerState` reports the power a tenth of a second later.
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(100))
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            guard case .stateChanged(.poweredOff, _) = try await stage.events.next() else {
                throw Unexpected("not powered off")
            }
            call.fail("Failed", "le-connection-abort-by-local")
        }

        @Test
        func `a device that is connected is not connected to by its second identifier, and keeps its link`()
            async throws
        {
            let stage = try await known()
            try await stage.connect()
            // As after pairing.
            await stage.stub.run { $0.set(Stage.device, device, ["Address": .string("C0:00:00:00:00:99")]) }
            try await stage.settle()
            await stage.command { $0.connect("C0:00:00:00:00:99") }
            guard case .connectFailed("C0:00:00:00:00:99", .backend(let failure)) = try await stage.events.next() else {
                throw Unexpected("not refused")
            }
            #expect(failure.name == BlueZError.alreadyConnected)
            await stage.stub.run { $0.set(Stage.device, device, ["Connected": .bool(false)]) }
            try await expectDisconnected(stage)
            await letBlueZClear(stage)
            await stage.command { $0.connect("C0:00:00:00:00:99") }
            _ = try await stage.stub.call("Connect")
        }

        @Test func `the end of the manager takes down what it connected`() async throws {
            let stage = try await known()
            try await stage.connect()
            await stage.command { $0.invalidate() }
            _ = try await stage.stub.call("Disconnect")
        }

        @Test
        func
            `a disconnect is told when BlueZ says that the link is down, which comes after its answer (connect.trace)`()
            async throws
        {
            let stage = try await known()
            try await stage.connect()
            await stage.command { $0.disconnect(Stage.id) }
            try await stage.stub.call("Disconnect").reply()
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            try await expectDisconnected(stage)
        }

        @Test func `a disconnect of a link that was lost meanwhile is answered all the same`() async throws {
            let stage = try await known()
            try await stage.connect()
            await stage.command { $0.disconnect(Stage.id) }
            try await stage.stub.call("Disconnect").fail("NotConnected", "Not Connected")
            try await expectDisconnected(stage)
            await stage.command { $0.disconnect(Stage.id) }
            try await expectDisconnected(stage)
        }

        @Test func `a disconnect that BlueZ never completes is told in the end`() async throws {
            let stage = try await known()
            try await stage.connect()
            await stage.command { $0.disconnect(Stage.id) }
            let call = try await stage.stub.call("Disconnect")
            await stage.clock.waitForTimer(within: .seconds(10))
            stage.clock.advance(by: .seconds(10))
            try await expectDisconnected(stage)
            call.reply()
        }

        @Test(arguments: ["Authentication", "Remote", "Timeout"])
        func `a lost link carries BlueZ's reason where it says more than the loss`(name: String) async throws {
            let stage = try await known()
            try await stage.connect()
            await stage.stub.run { stub in
                stub.emit(
                    Stage.device, BlueZInterface.device, "Disconnected",
                    [.string("org.bluez.Reason.\(name)"), .string("words")])
                stub.set(
                    Stage.device, BlueZInterface.device, ["ServicesResolved": .bool(false), "Connected": .bool(false)])
            }
            guard case .disconnected(_, let failure) = try await stage.events.next() else {
                throw Unexpected("not disconnected")
            }
            #expect(failure?.name == (name == "Timeout" ? nil : "org.bluez.Reason.\(name)"))
            #expect((failure?.isGoodbye ?? false) == (name == "Remote"))
        }

        /// A device whose connection the peer has just ended.
        private func lost() async throws -> Stage {
            let stage = try await known()
            try await stage.connect()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            try await expectDisconnected(stage)
            return stage
        }

        private func letBlueZClear(_ stage: Stage) async {
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
        }

        @Test func `an attempt after a loss is not told by what is left of the connection before`() async throws {
            let stage = try await lost()
            await letBlueZClear(stage)
            try await stage.connect()
        }

        @Test func `an attempt right after a loss begins when BlueZ has cleared up`() async throws {
            let stage = try await lost()
            await stage.command { $0.connect(Stage.id) }
            try await stage.settle()
            #expect(await stage.stub.run { $0.log } == ["Connect dev_C0_00_00_00_00_01"])
            await letBlueZClear(stage)
            let call = try await stage.stub.call("Connect")
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
                call.reply()
            }
            guard case .connected = try await stage.events.next() else { throw Unexpected("not connected") }
        }

        @Test func `an attempt waits for BlueZ to clear up after the last end, not the one before`() async throws {
            let stage = try await lost()
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(150))
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)])
            }
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            stage.clock.advance(by: .milliseconds(150))
            try await stage.settle()
            #expect(await stage.stub.run { $0.log } == ["Connect dev_C0_00_00_00_00_01"])
            stage.clock.advance(by: .milliseconds(50))
            _ = try await stage.stub.call("Connect")
        }

        @Test func `the end of the manager takes nothing down for an attempt that has not begun`() async throws {
            let stage = try await lost()
            await stage.command { $0.connect(Stage.id) }
            await stage.command { $0.invalidate() }
            await stage.stub.settle()
            #expect(await stage.stub.run { $0.log } == ["Connect dev_C0_00_00_00_00_01"])
        }

        @Test func `an attempt that is taken back while BlueZ clears up never begins`() async throws {
            let stage = try await lost()
            await stage.command { $0.connect(Stage.id) }
            await stage.command { $0.disconnect(Stage.id) }
            #expect(try await failure(stage) == .disconnected)
            await letBlueZClear(stage)
            try await stage.settle()
            #expect(await stage.stub.run { $0.log } == ["Connect dev_C0_00_00_00_00_01"])
        }
    }
}
#endif
