import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias User = UserDataService

@Suite("The data of users", .timeLimit(.minutes(5)))
struct UserDataTests {
    @Test(
        "the UUIDs are the assigned ones",
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
    func uuids(uuid: BluetoothUUID, number: UInt16) {
        #expect(uuid == BluetoothUUID(number))
    }

    @Test("a person is texts, numbers and a day")
    func person() throws {
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

    @Test("a day may be unknown in part, but not one that no calendar has")
    func days() throws {
        expectBytes(User.DateOfBirth(rawValue: try CalendarDate(year: 1984, month: nil, day: nil)), [0xc0, 0x07, 0, 0])
        for bytes in [[0xc1, 0x07, 2, 29], [0xc0, 0x07, 13, 1], [1, 0, 1, 1]] as [Bytes] {
            #expect(throws: SerDeError.invalidValue(offset: 0)) {
                try SerDe.deserialize(bytes, as: User.DateOfBirth.self)
            }
        }
        #expect(CalendarDate("1984-02-30") == nil)
        #expect(CalendarDate("today") == nil)
    }

    @Test("the limits of zones stand from the lowest up")
    func zones() {
        var five = User.FiveZoneHeartRateLimits()
        (five.veryLightToLight, five.lightToModerate) = (104, 123)
        (five.moderateToHard, five.hardToMaximum) = (142, 161)
        expectBytes(five, [104, 123, 142, 161])
        var three = User.ThreeZoneHeartRateLimits()
        (three.lightToModerate, three.moderateToHard) = (120, 150)
        expectBytes(three, [120, 150])
        expectBytes(User.TwoZoneHeartRateLimit(rawValue: 130), [130])
    }

    @Test("a user registers and consents by a code")
    func controlPoint() throws {
        expectBytes(User.ControlPoint.registerNewUser(consentCode: 0x1234), [1, 0x34, 0x12])
        expectBytes(User.ControlPoint.consent(user: 2, consentCode: 0x1234), [2, 2, 0x34, 0x12])
        expectBytes(User.ControlPoint.deleteUserData, [3])
        let refusal = User.ControlPoint(response: .init(to: .deleteUserData, .userNotAuthorized))
        expectBytes(refusal, [32, 3, 5])
        #expect(refusal.response?.result == .userNotAuthorized)
    }

    @Test("the change counter is four bytes, and an unknown user 255")
    func database() {
        expectBytes(User.DatabaseChangeIncrement(rawValue: 0x0102_0304), [4, 3, 2, 1])
        expectBytes(User.UserIndex.unknown, [255])
    }

    @Test("whatever decodes survives bytes and text")
    func roundTrips() {
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
