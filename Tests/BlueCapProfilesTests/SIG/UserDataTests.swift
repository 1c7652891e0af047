// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias User = UserDataService

@Suite("The data of users", .timeLimit(.minutes(60)))
struct UserDataTests {
    @Test(
        arguments: [
            (User.uuid, 0x181c), (User.AerobicHeartRateLowerLimit.uuid, 0x2a7e), (User.AerobicThreshold.uuid, 0x2a7f),
            (User.Age.uuid, 0x2a80), (User.AnaerobicHeartRateLowerLimit.uuid, 0x2a81),
            (User.AnaerobicHeartRateUpperLimit.uuid, 0x2a82), (User.AnaerobicThreshold.uuid, 0x2a83),
            (User.AerobicHeartRateUpperLimit.uuid, 0x2a84), (User.DateOfBirth.uuid, 0x2a85),
            (User.DateOfThresholdAssessment.uuid, 0x2a86), (User.EmailAddress.uuid, 0x2a87),
            (User.FatBurnHeartRateLowerLimit.uuid, 0x2a88), (User.FatBurnHeartRateUpperLimit.uuid, 0x2a89),
            (User.FirstName.uuid, 0x2a8a), (User.FiveZoneHeartRateLimits.uuid, 0x2a8b), (User.Gender.uuid, 0x2a8c),
            (User.HeartRateMax.uuid, 0x2a8d), (User.Height.uuid, 0x2a8e), (User.HipCircumference.uuid, 0x2a8f),
            (User.LastName.uuid, 0x2a90), (User.MaximumRecommendedHeartRate.uuid, 0x2a91),
            (User.RestingHeartRate.uuid, 0x2a92), (User.ThresholdSportType.uuid, 0x2a93),
            (User.ThreeZoneHeartRateLimits.uuid, 0x2a94), (User.TwoZoneHeartRateLimit.uuid, 0x2a95),
            (User.VO2Max.uuid, 0x2a96), (User.WaistCircumference.uuid, 0x2a97), (User.Weight.uuid, 0x2a98),
            (User.DatabaseChangeIncrement.uuid, 0x2a99), (User.UserIndex.uuid, 0x2a9a),
            (User.ControlPoint.uuid, 0x2a9f), (User.Language.uuid, 0x2aa2),
        ] as [(BluetoothUUID, UInt16)])
    func `the UUIDs are the assigned ones`(uuid: BluetoothUUID, number: UInt16) {
        #expect(uuid == BluetoothUUID(number))
    }

    @Test func `a person is texts, numbers and a day`() throws {
        expectBytes(User.FirstName(rawValue: "Zoë"), [0x5a, 0x6f, 0xc3, 0xab])
        expectBytes(User.Language(rawValue: "de"), [0x64, 0x65])
        expectBytes(User.Age(rawValue: 42), [42])
        expectBytes(User.Gender.female, [1])
        expectBytes(User.Weight(rawValue: try Scaled(70)), [0xb0, 0x36])  // 70 × 200 = 14000 = 0x36b0
        expectBytes(User.Height(rawValue: try Scaled(1.75)), [0xaf, 0x00])  // 175 = 0xaf
        // 1984 = 0x07c0.
        let birth = User.DateOfBirth(rawValue: try CalendarDate(year: 1984, month: 2, day: 29))
        expectBytes(birth, [0xc0, 0x07, 2, 29])
        #expect(birth.stringValue == ["Date of Birth": "1984-02-29"])
    }

    @Test func `a circumference is sent in steps of 0.01 m, little-endian`() throws {
        // 0.85 m is 85 = 0x0055; 2.6 m is 260 = 0x0104.
        expectBytes(User.WaistCircumference(rawValue: try Scaled(0.85)), [0x55, 0x00])
        expectBytes(User.WaistCircumference(rawValue: try Scaled(2.6)), [0x04, 0x01])
        // 0.98 m is 98 = 0x0062.
        expectBytes(User.HipCircumference(rawValue: try Scaled(0.98)), [0x62, 0x00])
        expectBytes(User.HipCircumference(rawValue: try Scaled(2.6)), [0x04, 0x01])
    }

    @Test(arguments: PlainVector.fitness)
    func `a measure of fitness is its own number in one byte`(vector: PlainVector) { vector.expect() }

    @Test func `a last name and an address are their UTF-8, with no end mark`() {
        expectBytes(User.LastName(rawValue: "Håk"), [0x48, 0xc3, 0xa5, 0x6b])
        expectBytes(User.EmailAddress(rawValue: "z@x.eu"), [0x7a, 0x40, 0x78, 0x2e, 0x65, 0x75])
    }

    @Test func `the day of a threshold's assessment is year, month, day, the year little-endian`() throws {
        // 2023 = 0x07e7.
        let day = User.DateOfThresholdAssessment(rawValue: try CalendarDate(year: 2023, month: 11, day: 5))
        expectBytes(day, [0xe7, 0x07, 11, 5])
        #expect(day.stringValue == ["Date of Threshold Assessment": "2023-11-05"])
        let year = User.DateOfThresholdAssessment(rawValue: try CalendarDate(year: 2023, month: nil, day: nil))
        expectBytes(year, [0xe7, 0x07, 0, 0])
    }

    @Test func `each sport has its number`() {
        let sports: [User.ThresholdSportType] = [
            .unspecified, .running, .cycling, .rowing, .crossTraining, .climbing, .skiing, .skating, .armExercising,
            .lowerBodyExercising, .upperBodyExercising, .wholeBodyExercising,
        ]
        for (number, sport) in sports.enumerated() { expectBytes(sport, [UInt8(number)]) }
    }

    @Test func `a day may be unknown in part, but not one that no calendar has`() throws {
        expectBytes(User.DateOfBirth(rawValue: try CalendarDate(year: 1984, month: nil, day: nil)), [0xc0, 0x07, 0, 0])
        for bytes in [[0xc1, 0x07, 2, 29], [0xc0, 0x07, 13, 1], [1, 0, 1, 1]] as [Bytes] {
            #expect(throws: SerDeError.invalidValue(offset: 0)) {
                try SerDe.deserialize(bytes, as: User.DateOfBirth.self)
            }
        }
        #expect(CalendarDate("1984-02-30") == nil)
        #expect(CalendarDate("today") == nil)
    }

    @Test func `the limits of zones stand from the lowest up`() {
        var five = User.FiveZoneHeartRateLimits()
        (five.veryLightToLight, five.lightToModerate) = (104, 123)
        (five.moderateToHard, five.hardToMaximum) = (142, 161)
        expectBytes(five, [104, 123, 142, 161])
        var three = User.ThreeZoneHeartRateLimits()
        (three.lightToModerate, three.moderateToHard) = (120, 150)
        expectBytes(three, [120, 150])
        expectBytes(User.TwoZoneHeartRateLimit(rawValue: 130), [130])
    }

    @Test func `a user registers and consents by a code`() throws {
        expectBytes(User.ControlPoint.registerNewUser(consentCode: 0x1234), [1, 0x34, 0x12])
        expectBytes(User.ControlPoint.consent(user: 2, consentCode: 0x1234), [2, 2, 0x34, 0x12])
        expectBytes(User.ControlPoint.deleteUserData, [3])
        let refusal = User.ControlPoint(response: .init(to: .deleteUserData, .userNotAuthorized))
        expectBytes(refusal, [32, 3, 5])
        #expect(refusal.response?.result == .userNotAuthorized)
    }

    @Test func `the change counter is four bytes, and an unknown user 255`() {
        expectBytes(User.DatabaseChangeIncrement(rawValue: 0x0102_0304), [4, 3, 2, 1])
        expectBytes(User.UserIndex.unknown, [255])
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: User.FirstName.self)
        expectRoundTrips(of: User.Weight.self)
        expectRoundTrips(of: User.Height.self)
        expectRoundTrips(of: User.DateOfBirth.self, atLeast: 5)
        expectRoundTrips(of: User.Gender.self)
        expectRoundTrips(of: User.ThresholdSportType.self)
        expectRoundTrips(of: User.FiveZoneHeartRateLimits.self)
        expectRoundTrips(of: User.DatabaseChangeIncrement.self)
        expectRoundTrips(of: User.ControlPoint.self, atLeast: 100)
    }
}

/// A value that is one byte without a scale, and that byte: ml/kg/min of oxygen, or beats per minute.
struct PlainVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expect: @Sendable () -> Void

    private init<T: PlainValue & Equatable>(
        _ value: T, text: String, byte: UInt8, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        testDescription = T.name
        expect = {
            expectBytes(value, [byte], sourceLocation: sourceLocation)
            #expect(value.stringValue == [T.name: text], sourceLocation: sourceLocation)
        }
    }

    static let fitness = [
        PlainVector(User.VO2Max(rawValue: 52), text: "52", byte: 0x34),
        PlainVector(User.HeartRateMax(rawValue: 190), text: "190", byte: 0xbe),
        PlainVector(User.RestingHeartRate(rawValue: 58), text: "58", byte: 0x3a),
        PlainVector(User.MaximumRecommendedHeartRate(rawValue: 178), text: "178", byte: 0xb2),
        PlainVector(User.AerobicThreshold(rawValue: 131), text: "131", byte: 0x83),
        PlainVector(User.AnaerobicThreshold(rawValue: 164), text: "164", byte: 0xa4),
        PlainVector(User.FatBurnHeartRateLowerLimit(rawValue: 101), text: "101", byte: 0x65),
        PlainVector(User.FatBurnHeartRateUpperLimit(rawValue: 126), text: "126", byte: 0x7e),
        PlainVector(User.AerobicHeartRateLowerLimit(rawValue: 127), text: "127", byte: 0x7f),
        PlainVector(User.AerobicHeartRateUpperLimit(rawValue: 152), text: "152", byte: 0x98),
        PlainVector(User.AnaerobicHeartRateLowerLimit(rawValue: 153), text: "153", byte: 0x99),
        PlainVector(User.AnaerobicHeartRateUpperLimit(rawValue: 255), text: "255", byte: 0xff),
    ]
}
