// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("Current Time", .timeLimit(.minutes(60)))
struct CurrentTimeTests {
    @Test func `a time is a date, a weekday, a fraction and a reason`() throws {
        let time = CurrentTimeService.CurrentTime(
            dateTime: try DateTime(year: 2024, month: 2, day: 29, hours: 12, minutes: 30, seconds: 15),
            dayOfWeek: .thursday, fraction: try Scaled(0.5), adjustReason: [.manual, .timeZoneChange])
        // 2024 is 0x07e8; half a second is 128 of 256; reasons 0 and 2.
        expectBytes(time, [0xe8, 0x07, 2, 29, 12, 30, 15, 4, 128, 5])
        #expect(
            time.stringValue == [
                "dateTime": "2024-02-29T12:30:15", "dayOfWeek": "Thursday", "fraction": "0.500",
                "adjustReason": "Manual Time Update, Change of Time Zone",
            ])
    }

    @Test func `zeros are midnight of an unknown day`() {
        expectBytes(CurrentTimeService.CurrentTime(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func `a date that is none is refused with its offset`() {
        #expect(throws: SerDeError.invalidValue(offset: 3)) {
            try SerDe.deserialize(
                [0xe7, 0x07, 2, 29, 12, 30, 15, 4, 128, 5] as Bytes, as: CurrentTimeService.CurrentTime.self)
        }
    }

    @Test func `local time counts quarters of an hour`() {
        // +5:45 is 23 quarters; −3:30 is −14.
        let kathmandu = CurrentTimeService.LocalTimeInformation(timeZone: 23, daylightSaving: .standardTime)
        expectBytes(kathmandu, [23, 0])
        #expect(kathmandu.minutesFromUTC == 345)
        let summer = CurrentTimeService.LocalTimeInformation(timeZone: -14, daylightSaving: .oneHour)
        expectBytes(summer, [0xf2, 4])
        #expect(summer.minutesFromUTC == -150)
        expectBytes(CurrentTimeService.LocalTimeInformation(), [0x80, 0xff])
        #expect(CurrentTimeService.LocalTimeInformation().minutesFromUTC == nil)
        #expect(CurrentTimeService.LocalTimeInformation(timeZone: 57, daylightSaving: .oneHour).minutesFromUTC == nil)
        #expect(
            CurrentTimeService.LocalTimeInformation(timeZone: 4, daylightSaving: .init(rawValue: 3)).minutesFromUTC
                == nil)
    }

    @Test func `a reference has a source, an accuracy in eighths of a second and an age`() {
        let gps = CurrentTimeService.ReferenceTimeInformation(
            source: .gps, accuracy: 4, daysSinceUpdate: 2, hoursSinceUpdate: 3)
        expectBytes(gps, [2, 4, 2, 3])
        #expect(gps.accuracySeconds == 0.5)
        #expect(gps.hoursSinceUpdateInAll == 51)
        let unknown = CurrentTimeService.ReferenceTimeInformation()
        expectBytes(unknown, [0, 255, 255, 255])
        #expect(unknown.accuracySeconds == nil)
        #expect(unknown.hoursSinceUpdateInAll == nil)
    }

    @Test func `a reserved source is kept by its number`() throws {
        let value: CurrentTimeService.ReferenceTimeInformation = try SerDe.deserialize([7, 0, 0, 0] as Bytes)
        #expect(value.stringValue["source"] == "7")
        expectBytes(value, [7, 0, 0, 0])
    }

    @Test func `whatever decodes survives bytes and text`() {
        // Few random bytes are a date: month, day and time of day are made small.
        expectRoundTrips(of: CurrentTimeService.CurrentTime.self, inputs: 2000) { input, random in
            input = (0..<10).map { _ in .random(in: 0...255, using: &random) }
            (input[1], input[2]) = (0x07, .random(in: 0...12, using: &random))
            for index in 3..<7 { input[index] = .random(in: 0...24, using: &random) }
        }
        expectRoundTrips(of: CurrentTimeService.LocalTimeInformation.self, size: 2)
        expectRoundTrips(of: CurrentTimeService.ReferenceTimeInformation.self, size: 4)
    }
}
