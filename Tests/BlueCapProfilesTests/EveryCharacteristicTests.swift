// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

@Suite("Every characteristic that is built in", .timeLimit(.minutes(60)))
struct EveryCharacteristicTests {
    /// In catalogues only, so that a profile that is added is tried without a word here.
    static let all = [
        BLESIGGATTProfiles.services, TISensorTagProfiles.services, [TISensorTagProfiles.deviceInformation],
        NordicProfiles.services, GnosusProfiles.services,
    ].joined().flatMap { service in service.characteristics.map { Declared(service: service.name, profile: $0) } }

    struct Declared: CustomTestStringConvertible, Sendable {
        let service: String
        let profile: CharacteristicProfile
        var testDescription: String { "\(service): \(profile.name)" }
    }

    @Test(arguments: all)
    func `gives the same bytes and the same text again, whatever value it is given as bytes`(_ declared: Declared)
        throws
    {
        let profile = declared.profile
        var random = SeededRandom(seed: 3)
        var decoded = 0
        var parts: Set<String> = []
        for number in 0..<3000 where decoded < 40 {
            let input = Self.input(number, &random)
            guard let text = profile.stringValue(input) else { continue }
            decoded += 1
            parts.formUnion(text.keys)
            let written = try #require(profile.bytes(fromString: text), "\(input) reads \(text)")
            #expect(profile.stringValue(written) == text, "\(input) was written as \(written)")
            #expect(profile.bytes(fromString: text) == written)
        }
        #expect(decoded > 0, "no input was a value")
        // The units of a table stand with its fields, of which a value may lack some.
        guard !(profile.configuration is any TextFieldCoding.Type) else { return }
        #expect(parts.isSuperset(of: profile.units.keys))
    }

    @Test func `there are many of them`() { #expect(Self.all.count > 150) }

    /// Bytes of every length up to 40 in turn; the first ones, often flags or a code, are mostly small numbers.
    private static func input(_ number: Int, _ random: inout SeededRandom) -> Bytes {
        Bytes(
            (0..<number % 41).map { index in
                let byte = UInt8.random(in: 0...255, using: &random)
                return index < 2 && number % 3 > 0 || number % 5 == 0 ? byte % 8 : byte
            })
    }
}
