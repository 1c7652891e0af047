// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("A number that says that a value is not known", .timeLimit(.minutes(60)))
struct NotKnownTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var uuid: BluetoothUUID
        var bytes: Bytes
        var part: String
        var text = "unknown"
        var testDescription: String { "\(uuid) \(part) \(bytes)" }
    }

    /// Each with the same value in which the number is known.
    static let cases: [Case] = [
        // Users: index 255 (Weight Scale Service 1.0, 3.2.1.4; Body Composition Service 1.0, 3.2.1.4; Blood Pressure).
        Case(uuid: "2A35", bytes: [0x08, 0x78, 0, 0x78, 0, 0x78, 0, 0xFF], part: "userID"),
        Case(uuid: "2A36", bytes: [0x08, 0x78, 0, 0xFF, 0x07, 0xFF, 0x07, 0xFF], part: "userID"),
        Case(uuid: "2A9D", bytes: [0x04, 0x10, 0x27, 0xFF], part: "userID"),
        Case(uuid: "2A9C", bytes: [0x04, 0, 0x10, 0x00, 0xFF], part: "userID"),
        Case(uuid: "2A9A", bytes: [0xFF], part: "User Index"),
        // Measurements that did not succeed.
        Case(uuid: "2A9D", bytes: [0x00, 0xFF, 0xFF], part: "weight"),
        Case(uuid: "2A9C", bytes: [0, 0, 0xFF, 0xFF], part: "bodyFatPercentage"),
        // Times (Current Time Service 1.1, 3.2 and 3.3).
        Case(uuid: "2A0F", bytes: [0x80, 0], part: "timeZone"),
        Case(uuid: "2A14", bytes: [1, 0xFF, 1, 1], part: "accuracy"),
        Case(uuid: "2A14", bytes: [1, 0xFE, 1, 1], part: "accuracy", text: "out of range"),
        Case(uuid: "2A14", bytes: [1, 8, 0xFF, 0xFF], part: "daysSinceUpdate", text: "255 or more"),
        Case(uuid: "2A14", bytes: [1, 8, 0xFF, 0xFF], part: "hoursSinceUpdate"),
        // Dates: year 0, month 0 and day 0.
        Case(uuid: "2A2B", bytes: Bytes(repeating: 0, count: 10), part: "dateTime"),
        Case(uuid: "2A2B", bytes: [0, 0, 0, 0, 12, 30, 0, 0, 0, 0], part: "dateTime", text: "XXXX-XX-XXT12:30:00"),
        Case(uuid: "2A2B", bytes: [0xE8, 7, 0, 0, 0, 0, 0, 0, 0, 0], part: "dateTime", text: "2024-XX-XXT00:00:00"),
        Case(uuid: "2A2B", bytes: [0, 0, 2, 29, 1, 2, 3, 0, 0, 0], part: "dateTime", text: "XXXX-02-29T01:02:03"),
        Case(uuid: "2A85", bytes: [0, 0, 0, 0], part: "Date of Birth"),
        Case(uuid: "2A85", bytes: [0xC0, 7, 0, 0], part: "Date of Birth", text: "1984-XX-XX"),
        Case(uuid: "2A85", bytes: [0, 0, 2, 29], part: "Date of Birth", text: "XXXX-02-29"),
        Case(uuid: "2A86", bytes: [0xE7, 7, 11, 0], part: "Date of Threshold Assessment", text: "2023-11-XX"),
        Case(uuid: "2A18", bytes: [0, 1, 0] + Bytes(repeating: 0, count: 7), part: "baseTime"),
        Case(uuid: "2A18", bytes: [0, 1, 0, 0, 0, 0, 5, 0, 0, 0], part: "baseTime", text: "XXXX-XX-05T00:00:00"),
        Case(uuid: "2A1C", bytes: [2, 0, 0, 0, 0] + Bytes(repeating: 0, count: 7), part: "timeStamp"),
        Case(uuid: "2A9D", bytes: [2, 0, 0] + Bytes(repeating: 0, count: 7), part: "timeStamp"),
        Case(uuid: "2A67", bytes: [0x40, 0] + Bytes(repeating: 0, count: 7), part: "utcTime"),
        // A duration that has overrun (Glucose Service 1.0, 3.2.1.7).
        Case(uuid: "2A34", bytes: [0x08, 1, 0, 0xFF, 0xFF, 50], part: "exerciseDuration", text: "65535 or more"),
        // The environment.
        Case(uuid: "2A6E", bytes: [0x00, 0x80], part: "Temperature"),
        Case(uuid: "2A6F", bytes: [0xFF, 0xFF], part: "Humidity"),
        Case(uuid: "2B8C", bytes: [0xFF, 0xFF], part: "CO₂ Concentration"),
        Case(uuid: "2BE7", bytes: [0xFF, 0xFF], part: "VOC Concentration"),
        Case(uuid: "2BE4", bytes: [0xFF], part: "Noise"),
        Case(uuid: "2BE4", bytes: [0xFE], part: "Noise", text: "254 or more"),
        Case(uuid: "2B8C", bytes: [0xFE, 0xFF], part: "CO₂ Concentration", text: "65534 or more"),
        Case(uuid: "2BE7", bytes: [0xFE, 0xFF], part: "VOC Concentration", text: "65534 or more"),
        // Medical numbers say why there is none.
        Case(uuid: "2BD0", bytes: [0xFF, 0x07], part: "Carbon Monoxide Concentration", text: "NaN"),
        Case(uuid: "2A1C", bytes: [0, 0x00, 0x00, 0x80, 0x00], part: "temperature", text: "NRes"),
        Case(uuid: "2A35", bytes: [0, 0xFE, 0x07, 0x02, 0x08, 0x01, 0x08], part: "systolic", text: "+INF"),
        Case(uuid: "2A35", bytes: [0, 0xFE, 0x07, 0x02, 0x08, 0x01, 0x08], part: "diastolic", text: "-INF"),
        Case(
            uuid: "2A35", bytes: [0, 0xFE, 0x07, 0x02, 0x08, 0x01, 0x08], part: "meanArterialPressure",
            text: "Reserved"),
        // Fitness machines (Fitness Machine Service 1.0, 4.9.1).
        Case(uuid: "2ACD", bytes: [0x09, 0, 0xFF, 0x7F, 0xFF, 0x7F], part: "inclination"),
        Case(uuid: "2ACD", bytes: [0x81, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], part: "energyPerMinute"),
        Case(uuid: "2ACD", bytes: [0x01, 0x10, 0xFF, 0x7F, 0xFF, 0x7F], part: "forceOnBelt"),
    ]

    @Test(arguments: cases)
    func `is told as such, and read again from its word`(_ given: Case) throws {
        let profile = try #require(
            BLESIGGATTProfiles.services.flatMap(\.characteristics).first { $0.uuid == given.uuid })
        let texts = try #require(profile.stringValue(given.bytes))
        #expect(texts[given.part] == given.text)
        #expect(profile.bytes(fromString: texts) == given.bytes)
    }

    @Test(
        arguments: [
            ("2A9A", [254], "User Index", "254"), ("2A0F", [0x84, 0], "timeZone", "-124"),
            ("2A14", [1, 0xFD, 0xFE, 23], "accuracy", "253"), ("2A14", [1, 0xFD, 0xFE, 23], "daysSinceUpdate", "254"),
            ("2A9D", [0x04, 0x10, 0x27, 0], "userID", "0"),
        ] as [(BluetoothUUID, Bytes, String, String)])
    func `has neighbours that are numbers`(uuid: BluetoothUUID, bytes: Bytes, part: String, text: String) throws {
        let profile = try #require(BLESIGGATTProfiles.services.flatMap(\.characteristics).first { $0.uuid == uuid })
        #expect(profile.stringValue(bytes)?[part] == text)
    }

    @Test func `is not made of its digits, except where it stands for those above it`() {
        #expect(UserDataService.UserIndex(stringValue: ["User Index": "255"]) == nil)
        #expect(EnvironmentalSensingService.Noise(stringValue: ["Noise": "255"]) == nil)
        #expect(EnvironmentalSensingService.Noise(stringValue: ["Noise": "254"])?.rawValue == 254)
    }

    @Test(arguments: [[0, 0, 0], [1, 0, 0]] as [Bytes])
    func `says of the periods of a sensor whether they are in use`(period: Bytes) throws {
        let bytes = [0, 0, 1] + period + period + [1, 0xFF]
        let value = try SerDe.deserialize(bytes, as: EnvironmentalSensingService.MeasurementDescriptor.self)
        let text = period[0] == 0 ? "not in use" : "1"
        #expect(value.stringValue["measurementPeriod"] == text)
        #expect(value.stringValue["updateInterval"] == text)
        #expect(EnvironmentalSensingService.MeasurementDescriptor(stringValue: value.stringValue) == value)
    }

    @Test(arguments: [SFloat.nan, .notAtThisResolution, .reserved, .positiveInfinity, .negativeInfinity])
    func `gives no concentration of glucose`(value: SFloat) {
        #expect(GlucoseService.Concentration(value: value).milligramsPerDecilitre == nil)
        #expect(GlucoseService.Concentration(value: value, unit: .molesPerLitre).millimolesPerLitre == nil)
    }
}
