// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct NumberInValueTests {
    @Test(
        arguments: [
            ("2A19", nil, 0...100), ("2A6E", nil, -327.67...327.67),
            ("2A37", "heartRate", 0...65_535),
        ] as [(BluetoothUUID, String?, ClosedRange<Double>)])
    func `the numbers that a value takes are found`(uuid: BluetoothUUID, part: String?, range: ClosedRange<Double>)
        throws
    {
        let profile = try #require(KnownProfiles.profile(uuid))
        let number = try #require(NumberInValue(profile, value: profile.initialValue, part: part))
        #expect(number.range(in: profile.initialValue) == range)
    }

    @Test func `a quantity that is read from its number as it is sent is no number of its own`() throws {
        let profile = try #require(KnownProfiles.profile(TISensorTag.AccelerometerService.Data.uuid))
        let value = try Bytes(hex: "c0e0a0")
        #expect(NumberInValue(profile, value: value, part: "x") == nil)
        let number = try #require(NumberInValue(profile, value: value, part: "xraw"))
        #expect(number.bytes(for: 1, in: value) != number.bytes(for: 2, in: value))
    }

    @Test(arguments: [9.5e14, -9.5e14, 2.5e20])
    func `a number that nothing sends is refused`(number: Double) throws {
        let profile = try #require(KnownProfiles.profile("2A19"))
        let level = try #require(NumberInValue(profile, value: [50], part: nil))
        #expect(level.bytes(for: number, in: [50]) == nil)
    }

    @Test func `both ends of the numbers of every characteristic can be sent`() {
        var count = 0
        for profile in KnownProfiles.manager.services.flatMap(\.characteristics) {
            for part in NumberInValue.names(profile, profile.initialValue) {
                let number = NumberInValue(profile, value: profile.initialValue, part: part)
                guard let number, let range = number.range(in: profile.initialValue) else { continue }
                count += 1
                for end in [range.lowerBound, range.upperBound] {
                    #expect(number.bytes(for: end, in: profile.initialValue) != nil, "\(profile.name) \(part) \(end)")
                }
            }
        }
        #expect(count > 100)
    }
}
