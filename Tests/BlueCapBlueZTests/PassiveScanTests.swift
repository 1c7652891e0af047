// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapSerDe
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct PassiveScanTests {
        private static let plain = ScanMode.passive(patterns: [pattern(0)])
        private static let near = ScanMode.passive(
            patterns: [pattern(0)],
            signal: SignalThresholds(
                high: -60, highTime: .seconds(2), low: -75, lowTime: .seconds(3), samplingPeriod: .milliseconds(500)))

        private static func pattern(_ number: Int) -> AdvertisingPattern {
            AdvertisingPattern(type: 0xFF, content: [0x34, 0x12, UInt8(number)], start: 1)
        }

        private func stage(withMonitors: Bool = true, version: String = "0542") async throws -> Stage {
            let stage = try await Stage(version: version)
            await stage.stub.run { stub in
                let manager = BlueZInterface.advertisementMonitorManager
                if withMonitors { stub.add(StubBlueZ.adapter, [manager: ["SupportedFeatures": .strings([])]]) }
                stub.add(Stage.device, Stage.deviceProperties())
            }
            try await stage.settle()
            return stage
        }

        /// A stage with a passive scan, and its registration.
        private func scanning(_ modes: Set<ScanMode> = [plain]) async throws -> (Stage, StubCall) {
            let stage = try await stage()
            await stage.command { $0.scan(ScanRequest(modes: modes)) }
            return (stage, try await stage.stub.call("RegisterMonitor"))
        }

        private func monitors(_ stage: Stage) async -> [String] {
            await stage.stub.settle()
            return await stage.stub.run { $0.log.filter { $0.contains("Monitor") } }
        }

        private func root(_ registration: StubCall) -> String { registration.arguments[0].objectPathValue ?? "" }

        @discardableResult
        private func invoke(
            _ member: String, _ stage: Stage, _ registration: StubCall, _ body: [DBusValue] = [],
            monitor: String = "patterns0"
        ) async -> Result<Message, DBusError> {
            await stage.stub.invoke(
                registration.call.sender, root(registration) + "/" + monitor, BlueZInterface.advertisementMonitor,
                member, body)
        }

        private func matched(_ stage: Stage) async throws -> (Sighting, ScanMode) {
            let event = try await stage.events.next()
            guard case .matched(let sighting, let mode) = event else { throw Unexpected("\(event)") }
            return (sighting, mode)
        }

        private func isLost(_ stage: Stage, _ mode: ScanMode) async throws {
            let event = try await stage.events.next()
            guard case .matchLost(Stage.id, mode) = event else { throw Unexpected("\(event)") }
        }

        private func refusal(_ stage: Stage) async throws -> BackendFailure {
            let event = try await stage.events.next()
            guard case .scanModeRefused(_, let failure) = event else { throw Unexpected("\(event)") }
            return failure
        }

        @Test(arguments: [(false, "0542"), (true, "0538")])
        func `without monitors, or where they are not safe, a passive scan is refused by the flag's name`(
            withMonitors: Bool, version: String
        ) async throws {
            let stage = try await stage(withMonitors: withMonitors, version: version)
            await stage.command { $0.scan(ScanRequest(modes: [Self.plain])) }
            let failure = try await refusal(stage)
            #expect(failure.message.contains("-E"))
            #expect(failure.advice?.contains("-E") == true)
            #expect(await monitors(stage) == [])
            let calls = await stage.stub.run { $0.log }
            #expect(!calls.contains { $0.contains("Discovery") })
        }

        @Test func `patterns are in monitors of as many as bluetoothd survives, with thresholds and times`()
            async throws
        {
            let patterns = (0..<16).map(Self.pattern)
            let signal = Self.near
            guard case .passive(_, let thresholds) = signal else { throw Unexpected("no thresholds") }
            let (stage, registration) = try await scanning([.passive(patterns: patterns, signal: thresholds)])
            var sent: [[DBusValue]?] = []
            for start in [0, 7, 14] {
                let properties = try await stage.stub.invoke(
                    registration.call.sender, "\(root(registration))/patterns\(start)", StandardInterface.properties,
                    "GetAll", [.string(BlueZInterface.advertisementMonitor)]
                ).get().body()[0].propertiesValue
                let monitor = try #require(properties)
                #expect(monitor["Type"] == .string("or_patterns"))
                #expect(monitor["RSSIHighThreshold"] == .int16(-60))
                #expect(monitor["RSSIHighTimeout"] == .uint16(2))
                #expect(monitor["RSSILowThreshold"] == .int16(-75))
                #expect(monitor["RSSILowTimeout"] == .uint16(3))
                #expect(monitor["RSSISamplingPeriod"] == .uint16(5))
                let part = try #require(monitor["Patterns"]?.arrayValue)
                #expect(part.count <= 7)
                sent += part.map(\.structureValue)
            }
            #expect(sent == patterns.map { [.byte(1), .byte(0xFF), .bytes(Array($0.content))] })
        }

        @Test func `a device is told with each call of the daemon, and lost with its object`() async throws {
            let (stage, registration) = try await scanning()
            for rssi: Int16 in [-60, -70] {
                await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(rssi)]) }
                await invoke("DeviceFound", stage, registration, [.objectPath(Stage.device)])
                let (sighting, mode) = try await matched(stage)
                #expect(sighting.peripheral == Stage.id)
                #expect(sighting.rssi == Int(rssi))
                #expect(mode == Self.plain)
            }
            await stage.stub.run { $0.remove(Stage.device) }
            try await isLost(stage, Self.plain)
        }

        @Test func `with thresholds what a found device changes is told, until it is lost`() async throws {
            let (stage, registration) = try await scanning([Self.near])
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-50)]) }
            await invoke("DeviceFound", stage, registration, [.objectPath(Stage.device)])
            #expect(try await matched(stage).0.rssi == -50)
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-70)]) }
            #expect(try await matched(stage).0.rssi == -70)
            await invoke("DeviceLost", stage, registration, [.objectPath(Stage.device)])
            try await isLost(stage, Self.near)
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-40)]) }
            try await stage.settle()
        }

        @Test func `neither a device of another adapter nor another object is found`() async throws {
            let (stage, registration) = try await scanning()
            let other = "/org/bluez/hci1/dev_C0_00_00_00_00_01"
            for path in [other, "/", Stage.service] {
                await invoke("DeviceFound", stage, registration, [.objectPath(path)])
            }
            try await stage.settle()
        }

        @Test(arguments: [true, false])
        func `a monitor that the daemon drops is registered again, or refused where it was never used`(wasUsed: Bool)
            async throws
        {
            let (stage, registration) = try await scanning([Self.near])
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-50)]) }
            if wasUsed {
                await invoke("Activate", stage, registration)
                await invoke("DeviceFound", stage, registration, [.objectPath(Stage.device)])
                _ = try await matched(stage)
            }
            await invoke("Release", stage, registration)
            guard wasUsed else {
                #expect(try await refusal(stage).message.contains("monitor"))
                return
            }
            try await isLost(stage, Self.near)
            await stage.clock.waitForTimer(within: .seconds(1))
            stage.clock.advance(by: .seconds(1))
            let second = try await stage.stub.call("RegisterMonitor")
            #expect(root(second) != root(registration))
            await invoke("DeviceFound", stage, second, [.objectPath(Stage.device)])
            _ = try await matched(stage)
            let all = ["RegisterMonitor hci0", "UnregisterMonitor hci0", "RegisterMonitor hci0"]
            #expect(await monitors(stage) == all)
        }

        @Test func `a scan that ends while its monitor is to be registered again leaves none behind`() async throws {
            let (stage, registration) = try await scanning()
            await invoke("Activate", stage, registration)
            await invoke("Release", stage, registration)
            await stage.clock.waitForTimer(within: .seconds(1))
            await stage.command { $0.scan(nil) }
            stage.clock.advance(by: .seconds(1))
            try await stage.settle()
            #expect(await monitors(stage) == ["RegisterMonitor hci0", "UnregisterMonitor hci0"])
        }

        @Test func `more monitors than an adapter takes are refused, and the others stay`() async throws {
            let stage = try await stage()
            let modes = (0..<33).map { ScanMode.passive(patterns: [Self.pattern($0)]) }
            await stage.command { $0.scan(ScanRequest(modes: Set(modes))) }
            #expect(try await refusal(stage).advice?.contains("32") == true)
            try await stage.settle()
            #expect(await monitors(stage).count == 32)
        }

        @Test func `a daemon that does not take a monitor is passed on in its words`() async throws {
            let stage = try await stage()
            await stage.stub.run { _ = $0.accepted.remove("RegisterMonitor") }
            await stage.command { $0.scan(ScanRequest(modes: [Self.plain])) }
            try await stage.stub.call("RegisterMonitor").fail("Failed", "no")
            #expect(try await refusal(stage).message == "no")
        }

        @Test func `passive scans end by themselves, and an active one beside them has a discovery`() async throws {
            let (stage, _) = try await scanning([Self.plain, .active])
            _ = try await stage.stub.call("StartDiscovery")
            await stage.command { $0.scan(ScanRequest()) }
            _ = try await stage.stub.call("UnregisterMonitor")
            await stage.command { $0.scan(ScanRequest(modes: [Self.plain])) }
            _ = try await stage.stub.call("StopDiscovery")
            _ = try await stage.stub.call("RegisterMonitor")
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            _ = try await stage.stub.call("UnregisterMonitor")
            try await #expect(stage.events.state() == .poweredOff)
        }

        @Test func `a daemon that ends takes the monitors with it, and the next one is given others`() async throws {
            let (stage, registration) = try await scanning()
            try await stage.stub.leave()
            while try await stage.events.state() == .poweredOn {}
            try await stage.stub.start()
            while try await stage.events.state() != .poweredOn {}
            let objects = await stage.stub.invoke(
                registration.call.sender, root(registration), StandardInterface.objectManager, "GetManagedObjects")
            #expect(throws: DBusError.self) { try objects.get() }
            await stage.command { $0.scan(ScanRequest(modes: [Self.plain])) }
            _ = try await stage.stub.call("RegisterMonitor")
            #expect(await monitors(stage) == ["RegisterMonitor hci0", "RegisterMonitor hci0"])
        }
    }
}
#endif
