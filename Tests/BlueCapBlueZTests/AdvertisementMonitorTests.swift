// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct AdvertisementMonitorTests {
        /// A stage whose daemon refuses a scan, as the kernel goes on with the discovery of the one before.
        private func refused(
            withMonitors: Bool = true, features: [String] = [], version: String = "0542", refusing: Bool = false
        ) async throws -> Stage {
            let stage = try await Stage(version: version)
            await stage.stub.run { stub in
                let manager = BlueZInterface.advertisementMonitorManager
                if withMonitors { stub.add(StubBlueZ.adapter, [manager: ["SupportedFeatures": .strings(features)]]) }
                stub.accepted.remove("StartDiscovery")
                if refusing { stub.accepted.remove("RegisterMonitor") }
                stub.add(Stage.device, Stage.deviceProperties())
            }
            try await stage.settle()
            await stage.command { $0.scan(ScanRequest()) }
            for _ in 0..<2 { try await refuse(stage) }
            await stage.clock.waitForTimer(within: .seconds(2))
            return stage
        }

        /// A stage whose daemon has registered the monitor, and the registration.
        private func monitored() async throws -> (Stage, StubCall) {
            let stage = try await refused()
            let registration = try await stage.stub.call("RegisterMonitor")
            guard case .sightingsCoalesced(true) = try await stage.events.next() else { throw Unexpected("no monitor") }
            return (stage, registration)
        }

        private func isDelayed(_ stage: Stage) async throws {
            guard case .sightingsCoalesced(true) = try await stage.events.next() else { throw Unexpected("no wait") }
        }

        private func isOver(_ stage: Stage) async throws {
            guard case .sightingsCoalesced(false) = try await stage.events.next() else { throw Unexpected("no end") }
        }

        private func refuse(_ stage: Stage) async throws {
            try await stage.stub.call("StartDiscovery").fail("InProgress", "Operation already in progress")
        }

        private func monitors(_ stage: Stage) async -> [String] {
            await stage.stub.settle()
            return await stage.stub.run { $0.log.filter { $0.contains("Monitor") } }
        }

        @Test func `devices are heard by a monitor while the kernel refuses a discovery, and not taken for lost`()
            async throws
        {
            let (stage, _) = try await monitored()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-60)]) }
            guard case .sighted(let sighting) = try await stage.events.next() else { throw Unexpected("no sighting") }
            #expect(sighting.rssi == -60)
        }

        @Test func `the monitor is for the flags of an advertisement, in as many patterns as bluetoothd survives`()
            async throws
        {
            let (stage, registration) = try await monitored()
            let objects = await objects(stage, registration)
            #expect(throws: Never.self) { try objects.get() }
            let monitor = try #require(try await properties(stage, registration).get().body()[0].propertiesValue)
            #expect(monitor["Type"] == .string("or_patterns"))
            let patterns = try #require(monitor["Patterns"]?.arrayValue).map(\.structureValue)
            #expect(patterns.contains([.byte(0), .byte(0x01), .bytes([0x06])]))
            #expect(patterns.count <= 7)
        }

        private func objects(_ stage: Stage, _ registration: StubCall) async -> Result<Message, DBusError> {
            await stage.stub.invoke(
                registration.call.sender, registration.arguments[0].objectPathValue ?? "",
                StandardInterface.objectManager, "GetManagedObjects")
        }

        private func properties(_ stage: Stage, _ registration: StubCall) async -> Result<Message, DBusError> {
            await stage.stub.invoke(
                registration.call.sender, (registration.arguments[0].objectPathValue ?? "") + "/flags",
                StandardInterface.properties, "GetAll", [.string(BlueZInterface.advertisementMonitor)])
        }

        @Test(arguments: ["Activate", "Release", "DeviceFound", "DeviceLost"])
        func `the calls that bluetoothd makes of a monitor are answered`(member: String) async throws {
            let (stage, registration) = try await monitored()
            let root = try #require(registration.arguments[0].objectPathValue)
            let body = member.hasPrefix("Device") ? [DBusValue.objectPath(Stage.device)] : []
            let answer = await stage.stub.invoke(
                registration.call.sender, root + "/flags", BlueZInterface.advertisementMonitor, member, body)
            #expect(throws: Never.self) { try answer.get() }
        }

        @Test func `the monitor is registered once, and taken back when the discovery runs`() async throws {
            let (stage, registration) = try await monitored()
            stage.clock.advance(by: .seconds(2))
            try await refuse(stage)
            await stage.clock.waitForTimer(within: .seconds(2))
            stage.clock.advance(by: .seconds(2))
            try await stage.stub.call("StartDiscovery").reply()
            _ = try await stage.stub.call("UnregisterMonitor")
            try await isOver(stage)
            #expect(await monitors(stage) == ["RegisterMonitor hci0", "UnregisterMonitor hci0"])
            let objects = await objects(stage, registration)
            let properties = await properties(stage, registration)
            #expect(throws: DBusError.self) { try objects.get() }
            #expect(throws: DBusError.self) { try properties.get() }
        }

        @Test func `the monitor is taken back when the scan ends before the kernel grants it`() async throws {
            let (stage, _) = try await monitored()
            await stage.command { $0.scan(nil) }
            try await isOver(stage)
            stage.clock.advance(by: .seconds(2))
            _ = try await stage.stub.call("UnregisterMonitor")
            #expect(await monitors(stage) == ["RegisterMonitor hci0", "UnregisterMonitor hci0"])
        }

        @Test func `the monitor is taken back when the scan fails`() async throws {
            let (stage, _) = try await monitored()
            stage.clock.advance(by: .seconds(2))
            try await stage.stub.call("StartDiscovery").fail("Failed", "no")
            _ = try await stage.stub.call("UnregisterMonitor")
            try await isOver(stage)
            guard case .scanFailed = try await stage.events.next() else { throw Unexpected("no failure") }
        }

        @Test func `the monitor is taken back when the adapter is switched off`() async throws {
            let (stage, _) = try await monitored()
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            _ = try await stage.stub.call("UnregisterMonitor")
            try await isOver(stage)
            try await #expect(stage.events.state() == .poweredOff)
        }

        @Test func `a daemon that ends takes the monitor with it, and the next one is given another`() async throws {
            let (stage, _) = try await monitored()
            try await stage.stub.leave()
            try await isOver(stage)
            while try await stage.events.state() == .poweredOn {}
            try await stage.stub.start()
            while try await stage.events.state() != .poweredOn {}
            await stage.command { $0.scan(ScanRequest()) }
            await stage.passGrace()
            for _ in 0..<2 { try await refuse(stage) }
            _ = try await stage.stub.call("RegisterMonitor")
            #expect(await monitors(stage) == ["RegisterMonitor hci0", "RegisterMonitor hci0"])
        }

        @Test func `a daemon that refuses a monitor is asked once`() async throws {
            let stage = try await refused(refusing: true)
            try await stage.stub.call("RegisterMonitor").fail("Failed", "no")
            await stage.stub.settle()
            stage.clock.advance(by: .seconds(2))
            try await refuse(stage)
            await stage.clock.waitForTimer(within: .milliseconds(500))
            stage.clock.advance(by: .milliseconds(500))
            try await stage.stub.call("StartDiscovery").reply()
            #expect(await monitors(stage) == ["RegisterMonitor hci0"])
        }

        @Test func `the late refusal of an earlier monitor does not end the one of now`() async throws {
            let stage = try await refused(refusing: true)
            let first = try await stage.stub.call("RegisterMonitor")
            await stage.command { $0.scan(nil) }
            stage.clock.advance(by: .seconds(2))
            _ = try await stage.stub.call("UnregisterMonitor")
            await stage.command { $0.scan(ScanRequest()) }
            for _ in 0..<2 { try await refuse(stage) }
            let second = try await stage.stub.call("RegisterMonitor")
            first.fail("Failed", "no")
            await stage.stub.settle()
            let objects = await objects(stage, second)
            #expect(throws: Never.self) { try objects.get() }
            let all = ["RegisterMonitor hci0", "UnregisterMonitor hci0", "RegisterMonitor hci0"]
            #expect(await monitors(stage) == all)
        }

        /// Has the daemon call the monitor of a registration.
        private func invoke(_ member: String, _ stage: Stage, _ registration: StubCall) async throws {
            let root = try #require(registration.arguments[0].objectPathValue)
            let answer = await stage.stub.invoke(
                registration.call.sender, root + "/flags", BlueZInterface.advertisementMonitor, member)
            #expect(throws: Never.self) { try answer.get() }
        }

        @Test(arguments: [true, false])
        func `a monitor that the daemon drops is taken back, and registered anew where it was in use`(wasUsed: Bool)
            async throws
        {
            let (stage, registration) = try await monitored()
            if wasUsed { try await invoke("Activate", stage, registration) }
            try await invoke("Release", stage, registration)
            _ = try await stage.stub.call("UnregisterMonitor")
            stage.clock.advance(by: .seconds(2))
            try await refuse(stage)
            await stage.clock.waitForTimer(within: .seconds(2))
            let all = ["RegisterMonitor hci0", "UnregisterMonitor hci0"] + (wasUsed ? ["RegisterMonitor hci0"] : [])
            #expect(await monitors(stage) == all)
        }

        @Test func `a call that was for an earlier monitor does not end the one of now`() async throws {
            let (stage, first) = try await monitored()
            try await invoke("Activate", stage, first)
            try await invoke("Release", stage, first)
            _ = try await stage.stub.call("UnregisterMonitor")
            stage.clock.advance(by: .seconds(2))
            try await refuse(stage)
            let second = try await stage.stub.call("RegisterMonitor")
            let root = first.arguments[0].objectPathValue ?? ""
            #expect(second.arguments[0].objectPathValue != root)
            let late = await stage.stub.invoke(
                first.call.sender, root + "/flags", BlueZInterface.advertisementMonitor, "Release")
            #expect(throws: DBusError.self) { try late.get() }
            let objects = await objects(stage, second)
            #expect(throws: Never.self) { try objects.get() }
        }

        @Test func `a scan that begins between two attempts is told of the wait at once`() async throws {
            let (stage, _) = try await monitored()
            await stage.command { $0.scan(nil) }
            try await isOver(stage)
            await stage.command { $0.scan(ScanRequest()) }
            try await isDelayed(stage)
        }

        @Test func `without a monitor an absence shows no sooner`() async throws {
            let stage = try await refused(withMonitors: false)
            try await isDelayed(stage)
            stage.clock.advance(by: .milliseconds(500))
            try await stage.stub.call("StartDiscovery").reply()
            try await isOver(stage)
        }

        @Test(arguments: [
            (false, [], "0542"), (true, ["controller-patterns"], "0542"), (true, [], "0538"), (true, [], "0000"),
        ])
        func `a daemon whose monitors are of no use is not asked for one`(
            withMonitors: Bool, features: [String], version: String
        ) async throws {
            let stage = try await refused(withMonitors: withMonitors, features: features, version: version)
            stage.clock.advance(by: .milliseconds(500))
            try await stage.stub.call("StartDiscovery").reply()
            #expect(await monitors(stage) == [])
        }
    }
}
#endif
