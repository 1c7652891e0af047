// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

extension OverABus {
    /// Connecting to devices that BlueZ does not know, or forgets meanwhile.
    @Suite(.timeLimit(.minutes(60)))
    struct SeekingTests {
        private static let otherID: PeerIdentifier = "C0:00:00:00:00:12"
        private static let other = StubBlueZ.adapter + "/dev_C0_00_00_00_00_12"

        /// A stage that seeks the device, and the filter with which it does.
        private func seeking() async throws -> (Stage, [String: DBusValue]?) {
            let stage = try await Stage()
            await stage.command { $0.connect(Stage.id) }
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            _ = try await stage.stub.call("StartDiscovery")
            return (stage, filter)
        }

        /// Answers `Connect` as BlueZ does, and takes the event.
        private func connects(_ stage: Stage) async throws {
            let call = try await stage.stub.call("Connect")
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
                call.reply()
            }
            guard case .connected(Stage.id, _) = try await stage.events.next() else { throw Unexpected("no link") }
        }

        private func heard(_ stage: Stage) async throws {
            guard case .peripheralHeard(Stage.id) = try await stage.events.next() else { throw Unexpected("not heard") }
        }

        private func failure(_ stage: Stage) async throws -> OperationFailure {
            let event = try await stage.events.next()
            guard case .connectFailed(Stage.id, let failure) = event else { throw Unexpected("\(event)") }
            return failure
        }

        private func pass(_ duration: Duration, _ stage: Stage) async {
            await stage.clock.waitForTimer(within: duration)
            stage.clock.advance(by: duration)
        }

        @Test
        func `a device that BlueZ does not know is sought by its address, then connected to, and the search ends`()
            async throws
        {
            let (stage, filter) = try await seeking()
            #expect(
                filter == [
                    "Transport": .string("le"), "RSSI": .int16(-127), "Pattern": .string("C0:00:00:00:00:01"),
                ])
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            _ = try await stage.stub.call("StopDiscovery")
            try await heard(stage)
            try await connects(stage)
        }

        @Test func `what the search hears is not told to an app that does not scan`() async throws {
            let (stage, _) = try await seeking()
            await stage.stub.run { $0.add(Self.other, Stage.deviceProperties(address: Self.otherID.text, rssi: -60)) }
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            try await heard(stage)
        }

        @Test func `an object that another program has made is connected to without having been heard`() async throws {
            let (stage, _) = try await seeking()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await connects(stage)
        }

        @Test func `several devices are sought by what their addresses have in common`() async throws {
            let (stage, _) = try await seeking()
            await stage.command { $0.connect(Self.otherID) }
            // The filter is wider than before: the controller would not report again the devices that it has already
            // heard.
            _ = try await stage.stub.call("StopDiscovery")
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(filter?["Pattern"] == .string("C0:00:00:00:00:"))
            _ = try await stage.stub.call("StartDiscovery")
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            try await heard(stage)
            let narrowed = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(narrowed?["Pattern"] == .string(Self.otherID.text))
        }

        @Test func `a scan beside the search is not narrowed by it, and starts anew to hear all`() async throws {
            let (stage, _) = try await seeking()
            await stage.command { $0.scan(ScanRequest(services: ["180D"])) }
            _ = try await stage.stub.call("StopDiscovery")
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(filter == ["Transport": .string("le"), "RSSI": .int16(-127)])
            _ = try await stage.stub.call("StartDiscovery")
            await stage.command { $0.scan(nil) }
            let narrowed = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(narrowed?["Pattern"] == .string("C0:00:00:00:00:01"))
        }

        @Test
        func `a search that is taken back ends at once and fails once, and not the next attempt too`() async throws {
            let (stage, _) = try await seeking()
            await stage.command { backend in
                backend.disconnect(Stage.id)
                backend.disconnect(Stage.id)
            }
            _ = try await stage.stub.call("StopDiscovery")
            #expect(try await failure(stage) == .disconnected)
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.connect()
        }

        @Test func `a search that BlueZ refuses fails the attempt with the refusal`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.connect(Stage.id) }
            try await stage.stub.call("StartDiscovery").fail("NotAuthorized", "no")
            guard case .backend(let failure) = try await failure(stage) else { throw Unexpected("no words") }
            #expect(failure.name == "org.bluez.Error.NotAuthorized")
        }

        @Test func `a search that is not ready is begun again, until the power is told to be off`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.connect(Stage.id) }
            try await stage.stub.call("StartDiscovery").fail("NotReady", "Resource Not Ready")
            await pass(.seconds(1), stage)
            let second = try await stage.stub.call("StartDiscovery")
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            try await #expect(stage.events.state() == .poweredOff)
            second.fail("NotReady", "Resource Not Ready")
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(true)]) }
            try await #expect(stage.events.state() == .poweredOn)
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            try await stage.settle()
            #expect(await stage.stub.run { !$0.log.contains("Connect dev_C0_00_00_00_00_01") })
        }

        @Test func `a device that BlueZ forgets during the attempt is sought, and the attempt goes on`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            let call = try await stage.stub.call("Connect")
            await stage.stub.run { $0.remove(Stage.device) }
            await pass(.milliseconds(200), stage)
            _ = try await stage.stub.call("StartDiscovery")
            call.fail("Failed", "le-connection-abort-by-local")
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            try await heard(stage)
            try await connects(stage)
        }

        @Test
        func `an attempt that the kernel gives up, the device being away, goes on (connect-unreachable.trace)`()
            async throws
        {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            let call = try await stage.stub.call("Connect")
            stage.clock.advance(by: .seconds(40))
            call.fail("Failed", "le-connection-abort-by-local")
            await pass(.milliseconds(200), stage)
            try await connects(stage)
        }

        // MARK: Beside attempts

        /// A device that BlueZ knows, and `Connect` under way to it.
        private func attempting(isBonded: Bool = false) async throws -> (Stage, StubCall) {
            let stage = try await Stage()
            await stage.stub.run { stub in
                var properties = Stage.deviceProperties()
                properties[BlueZInterface.device]?["Bonded"] = .bool(isBonded)
                stub.add(Stage.device, properties)
            }
            if isBonded {
                guard case .bondChanged(Stage.id, true) = try await stage.events.next() else {
                    throw Unexpected("not bonded")
                }
            }
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            return (stage, try await stage.stub.call("Connect"))
        }

        /// Ends the link, and lets BlueZ clear up.
        private func loses(_ stage: Stage) async throws {
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("not lost") }
            await pass(.milliseconds(200), stage)
        }

        private func discoveries(_ stage: Stage) async -> [String] {
            await stage.stub.settle()
            return await stage.stub.run { $0.log.filter { $0.hasSuffix("Discovery hci0") } }
        }

        @Test func `the attempt after one that has met nobody has the search's discovery beside it`() async throws {
            let (stage, call) = try await attempting()
            stage.clock.advance(by: .seconds(50))
            #expect(await discoveries(stage) == [])
            call.fail("Failed", "le-connection-abort-by-local")
            await pass(.milliseconds(200), stage)
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(filter?["Pattern"] == .string(Stage.id.text))
            try await connects(stage)
            _ = try await stage.stub.call("StopDiscovery")
            #expect(await discoveries(stage) == ["StartDiscovery hci0", "StopDiscovery hci0"])
        }

        @Test(arguments: [(10, true), (9, false)])
        func `so has the attempt after one that was given up once it had had the time to meet the device`(
            seconds: Int, isAccompanied: Bool
        ) async throws {
            let (stage, call) = try await attempting()
            stage.clock.advance(by: .seconds(seconds))
            await stage.command { $0.disconnect(Stage.id) }
            call.fail("Failed", "br-connection-canceled")
            try await stage.stub.call("Disconnect").reply()
            _ = try await failure(stage)
            await stage.command { $0.connect(Stage.id) }
            let next = try await stage.stub.call("Connect")
            if isAccompanied { _ = try await stage.stub.call("StartDiscovery") }
            #expect(await discoveries(stage) == (isAccompanied ? ["StartDiscovery hci0"] : []))
            await stage.command { $0.disconnect(Stage.id) }
            next.fail("Failed", "br-connection-canceled")
            try await stage.stub.call("Disconnect").reply()
            _ = try await failure(stage)
            if isAccompanied { _ = try await stage.stub.call("StopDiscovery") }
        }

        @Test(arguments: [true, false])
        func `a bonded device has it from then on, and another one until it was met`(isBonded: Bool) async throws {
            let (stage, call) = try await attempting(isBonded: isBonded)
            stage.clock.advance(by: .seconds(50))
            call.fail("Failed", "le-connection-abort-by-local")
            await pass(.milliseconds(200), stage)
            try await connects(stage)
            _ = try await stage.stub.call("StopDiscovery")
            try await loses(stage)
            await stage.command { $0.connect(Stage.id) }
            try await connects(stage)
            if isBonded { for _ in 0..<2 { _ = try await stage.stub.call("StartDiscovery") } }
            let pair = ["StartDiscovery hci0", "StopDiscovery hci0"]
            if isBonded { _ = try await stage.stub.call("StopDiscovery") }
            #expect(await discoveries(stage) == (isBonded ? pair + pair : pair))
        }

        @Test func `an attempt goes on though its discovery is refused`() async throws {
            let (stage, call) = try await attempting()
            await stage.stub.run { $0.accepted.remove("StartDiscovery") }
            stage.clock.advance(by: .seconds(50))
            call.fail("Failed", "le-connection-abort-by-local")
            await pass(.milliseconds(200), stage)
            try await stage.stub.call("StartDiscovery").fail("Failed", "no")
            await stage.stub.settle()
            try await connects(stage)
        }

        @Test func `an attempt between two of BlueZ's that is taken back fails once`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            let call = try await stage.stub.call("Connect")
            await stage.stub.run { $0.remove(Stage.device) }
            await stage.clock.waitForTimer(within: .milliseconds(200))
            await stage.command { $0.disconnect(Stage.id) }
            #expect(try await failure(stage) == .disconnected)
            call.fail("Failed", "le-connection-abort-by-local")
        }
    }
}
#endif
