// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapJSON
import BlueCapRuntime
import BlueCapSerDe
import Foundation
import Testing

@testable import BlueCapGateway

@Suite("A gateway with sensors of other formats", .timeLimit(.minutes(60)))
struct SensorFormatGatewayTests {
    private let clock = ManualClock()
    private let messages = PublishedMessages()
    private let sensor = PeerIdentifier("CB:B8:33:4C:88:4F")
    private static let state = "bluecap/cellar/cbb8334c884f/state"
    private static let config = "homeassistant/device/bluecap_cbb8334c884f/config"

    private func gateway(_ rules: [GatewayRule] = []) -> DeviceGateway {
        var plan = GatewayPlan(name: "cellar")
        plan.rules = GatewayRules(rules)
        return DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
    }

    private func rule(_ format: String, _ change: (inout GatewayRule) -> Void) -> GatewayRule {
        var rule = GatewayRule()
        rule.match.format = format
        change(&rule)
        return rule
    }

    private func readings(_ company: UInt16, _ hex: String) throws -> [SensorReading] {
        SensorFormats.shipped.readings(in: PeripheralAdvertisements(manufacturerData: [company: try Bytes(hex: hex)]))
    }

    private func hear(_ hex: String, _ gateway: DeviceGateway, company: UInt16 = 0x0499) async throws {
        await gateway.hear(try readings(company, hex), from: sensor, name: "Ruuvi 884F", rssi: -60)
    }

    /// The texts that were published to a topic since the last call.
    private func texts(_ topic: String) -> [String] { messages.taken().filter { $0.topic == topic }.map(\.text) }

    @Test func `publishes the values with their units and classes, and null for an unknown one`() async throws {
        let gateway = gateway()
        try await hear("C512FC5394FFFFAC364200CDCBB8334C884F", gateway)
        let published = messages.taken()
        #expect(
            published.filter { $0.topic == Self.state }.map(\.text) == [
                #"{"count":66,"humidity":53.49,"pressure":null,"rssi":-60,"temperature":24.3,"voltage":2.977}"#
            ])
        let description = try #require(published.first { $0.topic == Self.config }?.text)
        #expect(
            description.contains(
                #""pressure":{"device_class":"atmospheric_pressure","expire_after":180,"name":"Pressure","#))
        #expect(description.contains(#""unit_of_measurement":"hPa""#))
        #expect(description.contains(#""name":"Ruuvi 884F""#))
        #expect(await gateway.readFrameCount == 1)
    }

    @Test func `a value that becomes unknown is null in the next state, and in those after it`() async throws {
        let gateway = gateway()
        try await hear("C512FC5394C37CAC364200CDCBB8334C884F", gateway)
        #expect(texts(Self.state).first?.contains(#""pressure":1000.44"#) == true)
        for _ in 0..<70 {
            clock.advance(by: .seconds(1))
            try await hear("C512FC5394FFFFAC364200CDCBB8334C884F", gateway)
        }
        let states = texts(Self.state)
        #expect(states.count == 2 && states.allSatisfy { $0.contains(#""pressure":null"#) })
    }

    @Test func `probes that come in two frames have a key each, whichever comes first`() async throws {
        let gateway = gateway()
        try await hear("000000000000020009C4FFFF000A28FFFF", gateway, company: 0x1B36)
        #expect(
            texts(Self.state) == [
                #"{"alarm_temperature_3":null,"alarm_temperature_4":null,"rssi":-60,"temperature_3":25,"temperature_4":26}"#
            ])
    }

    @Test func `a rule chooses devices by the format, and their values`() async throws {
        let gateway = gateway([
            rule("RuuviTag*") { $0.values = ["temperature"] }, rule("Govee H5181") { $0.isPublished = false },
        ])
        try await hear("C512FC5394FFFFAC364200CDCBB8334C884F", gateway)
        #expect(texts(Self.state) == [#"{"rssi":-60,"temperature":24.3}"#])
        let other = self.gateway([rule("RuuviTag C5") { $0.isPublished = false }])
        try await hear("C512FC5394FFFFAC364200CDCBB8334C884F", other)
        #expect(messages.taken().isEmpty)
        // A rule for frames of BTHome does not fit it.
        var clear = GatewayRule()
        (clear.match.isEncrypted, clear.isPublished) = (false, false)
        let third = self.gateway([clear])
        try await hear("C512FC5394FFFFAC364200CDCBB8334C884F", third)
        #expect(texts(Self.state).count == 1)
    }

    #if Crypto
    // MARK: Keys

    @Test func `a device with a key is not believed in another format`() async throws {
        var rule = GatewayRule()
        (rule.match.address, rule.key) = (sensor, BindKey(hex: "231d39c1d7cc1ab1aee224cd096db932"))
        let gateway = gateway([rule])
        try await hear("C512FC5394FFFFAC364200CDCBB8334C884F", gateway)
        #expect(messages.taken().isEmpty)
        #expect(await gateway.unreadFrames.refused == 1)
    }

    /// Lets the gateway hear a frame of MiBeacon.
    private func hear(mi hex: String, _ gateway: DeviceGateway) async throws {
        let advertisements = PeripheralAdvertisements(serviceData: ["FE95": try Bytes(hex: hex)])
        await gateway.hear(
            SensorFormats.shipped.readings(in: advertisements), from: sensor, name: nil, rssi: -60)
    }

    private func keyed(_ hex: String) -> GatewayRule {
        var rule = GatewayRule()
        (rule.match.address, rule.key) = (sensor, BindKey(hex: hex))
        return rule
    }

    // Recorded frames of devices, as the tests of decoders of others have them.
    @Test func `an encrypted frame of another format is read with the key of its device, once`() async throws {
        let frame = "58586f0607892012342d585f176dd54f0200002fa453fa"
        let gateway = gateway([keyed("a3bfe9853dd85a620debe3620caaa351")])
        for _ in 0..<3 { try await hear(mi: frame, gateway) }
        #expect(texts(Self.state) == [#"{"rssi":-60,"temperature":22.6}"#])
        #expect(await gateway.readFrameCount == 1)
        // A clear one, which everyone can send, and one of another key.
        try await hear(mi: "5050aa01da21932b38c1a40d1004dd004802", gateway)
        try await hear(mi: "5858480b685f12342d585a0b1841e2aa000e00a4964fb5", gateway)
        #expect(texts(Self.state).isEmpty)
        #expect(await gateway.unreadFrames.refused == 2)
        // A rule of the same key changes nothing.
        let rules = GatewayRules([keyed("a3bfe9853dd85a620debe3620caaa351")])
        await gateway.adopt(rules, shortestInterval: .seconds(1), longestInterval: nil)
        #expect(messages.taken().isEmpty)
        let other = self.gateway()
        try await hear(mi: frame, other)
        #expect(messages.taken().isEmpty)
        #expect(await other.unreadFrames.encrypted == 1)
    }

    @Test func `presses of other formats are events, with the counter of their frame`() async throws {
        var rule = keyed("0fdcc30fe9289254876b5ef7c11ef1f0")
        rule.match.address = "A4:C1:38:66:E5:67"
        let gateway = gateway([rule])
        let frame = "585989189167e56638c1a4d6120d6d2600006fbc0cb4"
        let advertisements = PeripheralAdvertisements(serviceData: ["FE95": try Bytes(hex: frame)])
        for _ in 0..<3 {
            await gateway.hear(
                SensorFormats.shipped.readings(in: advertisements), from: "A4:C1:38:66:E5:67", name: nil, rssi: -60)
            clock.advance(by: .seconds(1))
            await gateway.tick()
        }
        #expect(
            texts("bluecap/cellar/a4c13866e567/press") == [
                #"{"event_type":"press","gateway":"cellar","key":"button","packet":9873}"#
            ])
    }

    @Test func `a frame with a counter of one byte is not read again while its device is there`() async throws {
        let hex = "231d39c1d7cc1ab1aee224cd096db932"
        let gateway = gateway([keyed(hex)])
        /// The temperatures that come of a frame with a counter.
        func temperatures(_ counter: UInt64) async throws -> [String] {
            let values: [String: SensorSetting] = [
                "temperature": .number(Double(counter)), "humidity": .number(45), "battery": .number(97),
            ]
            let frame = try SensorFormats.shipped.frame(
                of: "pvvx encrypted", values, counter: counter, address: [0xCB, 0xB8, 0x33, 0x4C, 0x88, 0x4F],
                key: try Bytes(hex: hex))
            let received = PeripheralAdvertisements(serviceData: frame.advertisement.serviceData)
            let readings = SensorFormats.shipped.readings(in: received, name: nil, hasKey: true)
            clock.advance(by: .seconds(2))
            await gateway.hear(readings, from: sensor, name: nil, rssi: -60)
            let all = texts(Self.state).compactMap { $0.split(separator: ":").last }
            return all.map { String($0.dropLast()) }
        }
        for counter: UInt64 in [5, 6, 7] { #expect(try await temperatures(counter) == ["\(counter)"]) }
        #expect(try await temperatures(6).isEmpty)
        #expect(try await temperatures(8) == ["8"])
        // Until a minute after the last frame that was read, and no longer by those that are refused.
        for seconds in [28, 27] {
            clock.advance(by: .seconds(seconds))
            #expect(try await temperatures(6).isEmpty)
        }
        #expect(await gateway.unreadFrames.replayed == 3)
        // After a time in which it may have sent as many frames, a counter may be new.
        #expect(try await temperatures(6) == ["6"])
    }
    #endif

    @Test(arguments: ["a3bfe9853dd85a620debe3620caaa351", "b853075158487ca39a5b5ea9"])
    func `a key has 32 digits, or 24 of an older sensor`(hex: String) throws {
        let text = "{ \"rules\": [{ \"match\": { \"address\": \"A4:C1:38:00:00:01\" }, \"key\": \"\(hex)\" }] }"
        #expect(try configuration(text, formats: Self.file).plan.rules.all.first?.key == BindKey(hex: hex))
    }

    @Test func `other formats are taken with other rules`() async throws {
        let gateway = gateway()
        let formats = try SensorFormats(json: Self.file.utf8)
        await gateway.adopt(
            GatewayRules(), shortestInterval: .seconds(1), longestInterval: nil,
            formats: SensorFormats.shipped.adding(formats))
        #expect(await gateway.plan.formats.names.first == "Cellar")
    }

    // MARK: The file of the configuration

    private static let file = """
        {"schema": "bluecap-sensors", "version": 1, "formats": [
          {"name": "Cellar", "company": "FFF1", "length": 2,
            "fields": [{"kind": "temperature", "at": 0, "type": "int16", "factor": 0.1}]}]}
        """

    private func configuration(_ text: String, formats: String) throws -> GatewayConfiguration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(formats.utf8).write(to: folder.appendingPathComponent("cellar.json"))
        return try GatewayConfiguration(Array(text.utf8), file: folder.path + "/gateway.json", readsKeys: true)
    }

    @Test func `a format of a file is known to the rules`() throws {
        let configuration = try configuration(
            """
            { "formats": ["cellar.json"], "rules": [
              { "match": { "format": "Cellar" }, "changes": { "temperature": 0.5 } },
              { "match": { "format": "Ruuvi*" } } ] }
            """, formats: Self.file)
        #expect(configuration.plan.formats.names.first == "Cellar")
        #expect(configuration.plan.rules.all.map(\.match.format) == ["Cellar", "Ruuvi*"])
    }

    @Test(
        arguments: [
            (#"{ "formats": "cellar.json" }"#, "'formats' is a list in brackets"),
            (#"{ "formats": [7] }"#, "'formats' is a list of paths in quotes"),
            (#"{ "formats": ["attic.json"] }"#, "attic.json: No such file or directory: correct the path"),
            (#"{ "formats": ["cellar.json"] }"#, "cellar.json, which has mistakes: line 3, column 40: 'at' leads to"),
            (#"{ "rules": [{ "match": { "format": "Cellar" } }] }"#, "'format' is no format that is known; there are"),
            (
                #"{ "rules": [{ "match": { "format": "pvvx", "bthome": "clear" } }] }"#,
                "'format' contradicts 'bthome'"
            ),
            (
                #"{ "rules": [{ "match": { "format": "Ruuvi*" } }, { "match": { "format": "RuuviTag 5" } }] }"#,
                "this rule never counts"
            ),
        ])
    func `a mistake about formats is named`(_ text: String, _ reason: String) {
        let broken = Self.file.replacing(#""at": 0"#, with: #""at": 1"#)
        let error = #expect(throws: ConfigurationError.self) { try configuration(text, formats: broken) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(error.map { "\($0)" } ?? "")")
    }
}
#endif
