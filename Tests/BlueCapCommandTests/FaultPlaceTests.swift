// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import Testing

@testable import BlueCapCommand

/// Each kind of fault, in each kind of file, is refused with its line and its column.
@Suite(.timeLimit(.minutes(60)))
struct FaultPlaceTests {
    enum Kind: CaseIterable {
        case twin, world, profiles

        /// The file with a member in its third line.
        func text(_ member: String) -> String {
            switch self {
            case .twin: "{ \"schema\": \"bluecap-twin\", \"version\": 1,\n\n  \(member) }"
            case .world: "{ \"world\": 1,\n\n  \(member)\(member.contains("devices") ? "" : ", \"devices\": []") }"
            case .profiles: "{ \"schema\": \"bluecap-profiles\", \"version\": 1,\n\n  \(member) }"
            }
        }

        func refusal(_ bytes: [UInt8]) -> String? {
            do {
                switch self {
                case .twin: _ = try Twin(json: bytes)
                case .world: _ = try WorldFile.parse(bytes, name: "world.json")
                case .profiles: _ = try ProfileManager(json: bytes)
                }
                return nil
            } catch let failure as CommandFailure {
                return failure.message
            } catch {
                return "\(error)"
            }
        }
    }

    /// Members with `§` at the place of the fault, and a part of the reason.
    private static let faults: [Kind: [(member: String, reason: String)]] = [
        .twin: [
            (#""name" §7"#, "':' is expected, not '7'"), (#""name": §7"#, "name: the value is not a text"),
            (#""mtu": §1.5"#, "mtu: this is a whole number from 23 to 517"),
            (#""recorded": §1e400"#, "recorded: this number is too great or too small"),
            (#""advertisement": { "data": { "flags": §300 } }"#, "flags: 300 is not from 0 to 255"),
            (#"§"nmae": "a""#, "there is no 'nmae' here"),
            (#""services": [{ "uuid": "180F", "includes": §[7] }]"#, "no other service with the index 7"),
            ("\"name\": \"a\",\n §\"name\": \"b\"", "'name' stands in line 3 already"),
        ],
        .world: [
            (#""about" §7"#, "':' is expected, not '7'"), (#""about": §7"#, "about: the value is not a text"),
            (#""seed": §1.5"#, "seed: this is a whole number from 0 to 18446744073709551615"),
            (
                #""devices": [{ "services": ["Battery"], "metres": §1e400 }]"#,
                "devices[0].metres: this number is too great or too small"
            ),
            (
                #""devices": [{ "eddystone": { "uuid": "x", "power": §300 } }]"#,
                "power: this is a whole number from -128 to 127"
            ),
            (#""devices": [{ §"metre": 1 }]"#, "there is no 'metre' here: did you mean 'metres'?"),
            (
                #""devices": [{ "twin": { "schema": "bluecap-twin", "version": 1, "services": [{ "uuid": "180F", "includes": §[7] }] } }]"#,
                "devices[0].twin.services[0].includes: there is no other service with the index 7"
            ),
            ("\"about\": \"a\",\n §\"about\": \"b\"", "'about' stands in line 3 already"),
        ],
        .profiles: [
            (#""services" §7"#, "':' is expected, not '7'"), (#""services": §7"#, "services: the value is not a list"),
            (field(#""flag": §1.5"#), "flag: this is a whole number from "),
            (field(#""scale": §1e400"#), "scale: this number is too great or too small"),
            (field(#""unknown": §300"#), "unknown: 300 cannot be sent as uint8"),
            (field(#"§"units": "s""#), "there is no 'units' here"),
            ("\"services\": [],\n §\"services\": []", "'services' stands in line 3 already"),
        ],
    ]

    private static func field(_ member: String) -> String {
        #""services": [{ "uuid": "FFF0", "name": "S", "characteristics": [{ "uuid": "FFF1", "name": "C", "fields": [{ "name": "F", "type": "uint8", \#(member) }] }] }]"#
    }

    @Test(arguments: Kind.allCases)
    func `each kind of fault is refused with its line and its column`(kind: Kind) throws {
        for (member, reason) in try #require(Self.faults[kind]) {
            let marked = kind.text(member)
            let lines = marked.split(separator: "§")[0].split(separator: "\n", omittingEmptySubsequences: false)
            let place = "line \(lines.count), column \(1 + (lines.last?.count ?? 0))"
            let text = marked.replacing("§", with: "")
            let refusal = try #require(kind.refusal(Array(text.utf8)), "\(text)")
            #expect(refusal.contains(reason) && refusal.contains(place), "\(place) in: \(refusal)")
        }
    }
}
