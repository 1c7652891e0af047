// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVendorProfiles
import BlueCapVirtual
import Foundation
import Testing

@testable import BlueCapGateway

@Suite("The values of characteristics in a gateway", .timeLimit(.minutes(60)))
struct CharacteristicMeasurementTests {
    private typealias Measurement = BlueCapGateway.Measurement

    struct Declared: CustomTestStringConvertible, Sendable {
        let service: String
        let profile: CharacteristicProfile
        var testDescription: String { "\(service): \(profile.name)" }
    }

    /// In catalogues only, so that a profile that is added is tried without a word here.
    static let all = [
        BLESIGGATTProfiles.services, TISensorTagProfiles.services, [TISensorTagProfiles.deviceInformation],
        NordicProfiles.services, GnosusProfiles.services,
    ].joined().flatMap { service in service.characteristics.map { Declared(service: service.name, profile: $0) } }

    /// The words in the place of a number that is not known, or has no place.
    private static let words: Set = [
        "unknown", "NaN", "NRes", "+INF", "-INF", "Reserved", "out of range", "not in use",
    ]
    /// Rows and ranges of numbers with a unit, which are no value of a sensor.
    private static let rows: Set = ["forces", "torques", "extremeForces", "extremeTorques", "extremeAngles"]

    /// The texts of a value that are published, without the numbers as they are sent beside the quantities.
    private static func texts(_ value: Bytes, _ profile: CharacteristicProfile) -> [String: String] {
        let texts = profile.stringValue(value) ?? [:]
        return texts.filter { name, _ in
            !rows.contains(name) && !(name.hasSuffix("Raw") && texts[String(name.dropLast(3))] != nil)
        }
    }

    private static func device(_ heard: [Measurement]...) -> (device: DeviceValues, isNew: [Bool]) {
        let subject = GatewayRule.Subject(
            identifier: "C0:DE:00:00:00:01", name: nil, services: [], isEncrypted: false)
        var device = DeviceValues(subject, nil, at: .zero)
        let isNew = heard.enumerated().map { index, heard in
            device.hear(
                heard, of: subject, by: nil, rssi: nil, GatewayPlan(name: "cellar").pace, at: .seconds(index),
                on: Timestamp(sinceEpoch: .seconds(index)))
        }
        return (device, isNew)
    }

    private static func state(_ device: DeviceValues) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(StateJSON(device).bytes))
        return try #require(json as? [String: Any])
    }

    @Test(arguments: all)
    func `have one key and kind for each part in all values, and are null where a part is not known`(
        _ declared: Declared
    ) async throws {
        let profile = declared.profile
        var parts: Set<String> = []
        var kinds: [String: Bool] = [:]
        var units: [String: Set<String?>] = [:]
        var (known, unknown): ([String: [Measurement]], [String: [Measurement]]) = ([:], [:])
        for bytes in SampleValues.all(of: profile) {
            // A run in simulated time beside this test waits for the threads of the pool.
            await Task.yield()
            let texts = Self.texts(bytes, profile)
            let values = try #require(Measurement.all(in: bytes, of: profile))
            // A text that the bytes are not has no words.
            let texted = values.filter { !($0.kind.isText && $0.value == .unknown) }
            #expect(texted.count == texts.count, "\(bytes): \(texts), \(values.map(\.key))")
            #expect(Set(values.map(\.key)).count == values.count, "\(bytes)")
            parts.formUnion(texts.keys)
            // A day that is not known is none of the year 0.
            let days = texts.values.filter { $0.hasPrefix("0000-") || $0.contains("-00-") || $0.contains("-00T") }
            #expect(days.isEmpty, "\(bytes)")
            for value in values {
                units[value.key, default: []].insert(value.kind.unit)
                #expect(kinds[value.key, default: value.kind.isText] == value.kind.isText, "\(value)")
                kinds[value.key] = value.kind.isText
                switch value.value {
                case .number: known[value.key] = known[value.key] ?? values
                case .unknown: unknown[value.key] = unknown[value.key] ?? values
                case .text(let text): #expect(value.kind.isText && text != "NaN", "\(value)")
                case .state, .press: Issue.record("\(value)")
                }
            }
            // As many numbers are missing as there are words in their places.
            let numbers = values.filter { if case .number = $0.value { true } else { false } }
            let words = texts.values.filter { Self.words.contains($0) || $0 == "nan" }
            #expect(numbers.count <= texts.count - words.count, "\(bytes): \(texts), \(values)")
        }
        #expect(kinds.count == parts.count, "\(kinds.keys.sorted()) of \(parts.sorted())")
        for (key, units) in units { #expect(units.count == 1 || !units.contains(nil), "\(key): \(units)") }
        for (key, values) in unknown {
            guard let before = known[key] else { continue }
            let (device, isNew) = Self.device(before, values)
            #expect(try Self.state(device)[key] is NSNull, "\(key)")
            // Another unit, or another part, is told to Home Assistant.
            let isSame = before.map { [$0.key, $0.kind.unit] } == values.map { [$0.key, $0.kind.unit] }
            #expect(!isNew[1] || !isSame, "\(key)")
        }
    }

    @Test(
        arguments: [
            ("2A1C", "temperature"), ("2A35", "systolic"), ("2A9D", "weight"), ("2A6E", "Temperature"),
            ("2ACD", "forceOnBelt"), ("2A18", "concentration"), ("2A5F", "oxygen"), ("2A9A", "User Index"),
        ] as [(BluetoothUUID, String)])
    func `are known in some of the samples, and not in others`(uuid: BluetoothUUID, part: String) throws {
        let profile = try #require(Self.all.map(\.profile).first { $0.uuid == uuid })
        let texts = SampleValues.all(of: profile).compactMap { Self.texts($0, profile)[part] }
        #expect(texts.contains { Self.words.contains($0) } && texts.contains { Double($0)?.isFinite == true })
    }

    @Test func `are null in the state from the moment that a device says so, until it knows them again`() async throws {
        let state = "bluecap/cellar/c0de00000002/state"
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["Temperature"], "every": 60 }"#)) {
            scene in
            let temperature = try #require(scene.strap.characteristic("2A6E"))
            func last() -> [String: Any]? { scene.messages.taken().last { $0.topic == state }?.object }
            try await scene.pass(30)
            #expect(last()?["temperature"] as? Double == 25)
            for known in [false, false, true, false] {
                temperature.setValue(known ? [0xCA, 9] : [0, 0x80])
                try await scene.pass(60)
                let messages = scene.messages.taken()
                let value = messages.last { $0.topic == state }?.object["temperature"]
                if known { #expect(value as? Double == 25.06) } else { #expect(value is NSNull) }
                #expect(!messages.contains { $0.topic.hasSuffix("/config") })
            }
        }
    }

    // MARK: Units by flag

    /// A value, and the units and classes of its numbers.
    struct Flagged: Sendable, CustomTestStringConvertible {
        var uuid: BluetoothUUID
        var bytes: Bytes
        var kinds: [String: [String?]]
        var testDescription: String { "\(uuid) \(bytes)" }
    }

    static let flagged: [Flagged] = [
        Flagged(uuid: "2A9D", bytes: [0, 0xB0, 0x36], kinds: ["weight": ["kg", "weight"]]),
        Flagged(uuid: "2A9D", bytes: [1, 0xB0, 0x36], kinds: ["weight": ["lb", "weight"]]),
        Flagged(uuid: "2A9D", bytes: [1, 0xFF, 0xFF], kinds: ["weight": ["lb", "weight"]]),
        Flagged(
            uuid: "2A9D", bytes: [8, 0xB0, 0x36, 0xE6, 0, 0xD6, 6],
            kinds: [
                "weight": ["kg", "weight"], "weight_height": ["m", nil], "weight_body_mass_index": ["kg/m²", nil],
            ]),
        Flagged(
            uuid: "2A9D", bytes: [9, 0xB0, 0x36, 0xE6, 0, 0xD6, 6],
            kinds: [
                "weight": ["lb", "weight"], "weight_height": ["in", nil], "weight_body_mass_index": ["kg/m²", nil],
            ]),
        Flagged(
            uuid: "2A9C", bytes: [0x40, 0, 0x10, 0, 0xB0, 0x36],
            kinds: [
                "body_composition_fat_free_mass": ["kg", "weight"],
                "body_composition_body_fat_percentage": ["%", nil],
            ]),
        Flagged(
            uuid: "2A9C", bytes: [0x41, 8, 0x10, 0, 0xB0, 0x36, 0x01, 2],
            kinds: [
                "body_composition_fat_free_mass": ["lb", "weight"], "body_composition_height": ["in", nil],
                "body_composition_body_fat_percentage": ["%", nil],
            ]),
        Flagged(uuid: "2A1C", bytes: [0, 0x6E, 1, 0, 0xFF], kinds: ["temperature": ["°C", "temperature"]]),
        Flagged(uuid: "2A1C", bytes: [1, 0xDA, 3, 0, 0xFF], kinds: ["temperature": ["°F", "temperature"]]),
        Flagged(uuid: "2A1C", bytes: [1, 0xFF, 0xFF, 0x7F, 0], kinds: ["temperature": ["°F", "temperature"]]),
        Flagged(
            uuid: "2A1E", bytes: [1, 0xDA, 3, 0, 0xFF],
            kinds: ["intermediate_temperature_temperature": ["°F", "temperature"]]),
        Flagged(
            uuid: "2A35", bytes: [0, 0x78, 0, 0x50, 0, 0x5D, 0],
            kinds: [
                "blood_pressure_systolic": ["mmHg", "pressure"], "blood_pressure_diastolic": ["mmHg", "pressure"],
                "blood_pressure_mean_arterial_pressure": ["mmHg", "pressure"],
            ]),
        Flagged(
            uuid: "2A35", bytes: [1, 0xA0, 0xF0, 0xFF, 7, 0, 8],
            kinds: [
                "blood_pressure_systolic": ["kPa", "pressure"], "blood_pressure_diastolic": ["kPa", "pressure"],
                "blood_pressure_mean_arterial_pressure": ["kPa", "pressure"],
            ]),
        Flagged(
            uuid: "2A18", bytes: [2, 1, 0] + Bytes(repeating: 0, count: 7) + [0x5A, 0xB0, 0x11],
            kinds: ["glucose_concentration": ["kg/L", nil], "glucose_sequence_number": [nil, nil]]),
        Flagged(
            uuid: "2A18", bytes: [6, 1, 0] + Bytes(repeating: 0, count: 7) + [0x37, 0xC0, 0x11],
            kinds: ["glucose_concentration": ["mol/L", nil], "glucose_sequence_number": [nil, nil]]),
        Flagged(
            uuid: "2A34", bytes: [0x30, 1, 0, 1, 0x0A, 0xA0],
            kinds: [
                "glucose_measurement_context_medication": ["L", nil],
                "glucose_measurement_context_sequence_number": [nil, nil],
            ]),
        Flagged(
            uuid: "2ACD", bytes: [0x20, 0, 0x64, 0, 0x02],
            kinds: ["treadmill_data_pace": ["km/min", nil], "treadmill_data_speed": ["km/h", nil]]),
        Flagged(
            uuid: "2ACD", bytes: [0x20, 0, 0x64, 0, 0x96, 0],
            kinds: ["treadmill_data_pace": ["s/500 m", nil], "treadmill_data_speed": ["km/h", nil]]),
    ]

    @Test(arguments: flagged)
    func `have the unit that a flag of the value chooses, and its class, also where a number is not known`(
        _ given: Flagged
    ) throws {
        let profile = try #require(
            BLESIGGATTProfiles.services.flatMap(\.characteristics).first { $0.uuid == given.uuid })
        let values = try #require(Measurement.all(in: given.bytes, of: profile)).filter { !$0.kind.isText }
        let kinds = Dictionary(uniqueKeysWithValues: values.map { ($0.key, [$0.kind.unit, $0.kind.deviceClass]) })
        #expect(kinds == given.kinds)
    }

    @Test(
        arguments: [
            ("2AD2", "00008805", "44008805a0006400", "indoor_bike_data_speed", 14.16),
            ("2AD2", "0500a000", "44008805a0006400", "indoor_bike_data_cadence", 80),
            ("2ACE", "000000e803", "080000e80364000a00", "cross_trainer_data_speed", 10),
            ("2AD1", "00001e0a00", "02001e0a0014", "rower_data_stroke_rate", 15),
            ("2A53", "0000025a", "0300025a6400e8030000", "rsc_speed", 2),
        ] as [(BluetoothUUID, String, String, String, Double?)])
    func `have the key of their part in a value that has it alone`(
        uuid: BluetoothUUID, alone: String, among: String, key: String, number: Double?
    ) throws {
        let profile = try #require(BLESIGGATTProfiles.services.flatMap(\.characteristics).first { $0.uuid == uuid })
        for hex in [alone, among] {
            let bytes = try Bytes(hex: hex)
            guard let values = Measurement.all(in: bytes, of: profile) else {
                Issue.record("\(hex) is no value")
                continue
            }
            #expect(values.first { $0.key == key }?.value == number.map { .number($0) }, "\(hex): \(values.map(\.key))")
            #expect(!values.contains { $0.key == "indoor_bike_data" })
        }
    }

    // MARK: Profiles of a file

    private static let file = #"""
        { "schema": "bluecap-profiles", "version": 1, "services": [
          { "uuid": "FFF0", "name": "Soil", "characteristics": [ { "uuid": "FFF1", "name": "Soil Data", "flags": "uint8", "fields": [
            { "name": "moisture", "type": "uint8", "unit": "%", "unknown": 255 },
            { "name": "temperature", "type": "int16", "scale": 0.01, "unit": "°C", "unknown": -32768, "flag": 0 },
            { "name": "pump", "type": "uint8", "values": { "off": 0, "on": 1 }, "flag": 1 },
            { "name": "voltage", "type": "float", "unit": "V", "flag": 2 } ] } ] } ] }
        """#

    @Test(
        arguments: [
            ("00 14", ["soil_data_moisture": .number(20)]),
            ("00 ff", ["soil_data_moisture": .unknown]),
            ("01 14 c409", ["soil_data_moisture": .number(20), "soil_data_temperature": .number(25)]),
            ("01 ff 0080", ["soil_data_moisture": .unknown, "soil_data_temperature": .unknown]),
            ("02 14 01", ["soil_data_moisture": .number(20), "soil_data_pump": .text("on")]),
            ("02 14 07", ["soil_data_moisture": .number(20), "soil_data_pump": .text("7")]),
            ("04 14 0000c07f", ["soil_data_moisture": .number(20), "soil_data_voltage": .unknown]),
            ("04 14 0000807f", ["soil_data_moisture": .number(20), "soil_data_voltage": .unknown]),
            ("04 14 00004040", ["soil_data_moisture": .number(20), "soil_data_voltage": .number(3)]),
        ] as [(String, [String: BlueCapGateway.Measurement.Value])])
    func `of a file's profile are null, too, where they are not known, and are left out where they are not there`(
        hex: String, expected: [String: BlueCapGateway.Measurement.Value]
    ) throws {
        let file = try JSONDecoder().decode(ProfileFile.self, from: Data(Self.file.utf8))
        let values = try #require(Measurement.all(in: Bytes(hex: hex), of: file.services[0].characteristics[0]))
        #expect(Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) }) == expected)
        #expect(values.allSatisfy { $0.kind.isText == ($0.key == "soil_data_pump") })
    }
}
#endif
