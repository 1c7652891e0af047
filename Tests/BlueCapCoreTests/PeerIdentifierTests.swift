// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation
import Testing

@Suite("Peer identifiers", .timeLimit(.minutes(60)))
struct PeerIdentifierTests {
    private static let texts = [
        "", "C0:DE:00:00:01:01", "C0:DE:00:00:01:02", "00:00:00:00:00:00", "FF:FF:FF:FF:FF:FF", "0A:00:00:00:00:00",
        "C0-DE-00-00-01-01", "C0:DE:00:00:01:0G", "C0:DE:00:00:01:0", "C0:DE:00:00:01:010", "C0DE:0:00:00:01:01",
        "Cö:DE:00:00:01:0", "68753A44-4D6F-1226-9C60-0050E4C00067",
    ]

    @Test func `are equal, hashed and ordered as their texts are`() {
        for left in Self.texts {
            for right in Self.texts {
                let (first, second) = (PeerIdentifier(left), PeerIdentifier(right))
                #expect((first == second) == (left == right), "\(left), \(right)")
                #expect((first < second) == (first.text < second.text), "\(left), \(right)")
            }
        }
        #expect(Set(Self.texts.map { PeerIdentifier($0) }).count == Self.texts.count)
    }

    @Test func `do not tell upper from lower case`() {
        let identifier = PeerIdentifier("c0:de:00:00:01:01")
        #expect(identifier == "C0:DE:00:00:01:01")
        #expect(identifier.hashValue == PeerIdentifier("C0:DE:00:00:01:01").hashValue)
        #expect(identifier.text == "C0:DE:00:00:01:01")
        // U+FB00 is one letter for two.
        #expect(PeerIdentifier("c0:de:00:00:01:\u{FB00}") == "C0:DE:00:00:01:FF")
    }

    @Test func `have the text that they were made from, in upper case`() {
        for text in Self.texts { #expect(PeerIdentifier(text).text == text.uppercased()) }
        for text in Self.texts { #expect(PeerIdentifier(text.lowercased()).text == text.uppercased()) }
    }

    @Test func `make an object in JSON as keys of a dictionary`() throws {
        let names: [PeerIdentifier: String] = ["C0:DE:00:00:01:01": "Tag"]
        let data = try JSONEncoder().encode(names)
        #expect(String(decoding: data, as: UTF8.self) == #"{"C0:DE:00:00:01:01":"Tag"}"#)
        #expect(try JSONDecoder().decode([PeerIdentifier: String].self, from: data) == names)
    }
}
