// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@Suite("A peer's description")
struct PeerDescriptionTests {
    private let description = PeerDescription(
        name: "Peer", address: "C0:DE:00:00:00:01", mtu: 100,
        advertisement: PeerAdvertisement(
            localName: "Peer", serviceUUIDs: ["180F"], manufacturerData: [0x1234: [1, 0xAB]],
            serviceData: ["180F": [2]], txPower: -4, appearance: 0x0341, flags: .generalDiscoverable,
            solicitedServiceUUIDs: ["180D"], scanResponse: PeerScanResponse(localName: "More"),
            intervalMilliseconds: 50),
        services: [
            PeerService(
                "180F", isPrimary: false, includes: [1],
                characteristics: [
                    PeerCharacteristic(
                        "2A19", [.read, .notify], value: [100], descriptors: [PeerDescriptor("2901", value: [0x68])],
                        security: .encrypted)
                ])
        ])

    @Test func `comes back from JSON as it was`() throws {
        let data = try JSONEncoder().encode(description)
        #expect(try JSONDecoder().decode(PeerDescription.self, from: data) == description)
    }

    @Test func `has hexadecimal bytes and decimal company identifiers in JSON`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(description), as: UTF8.self)
        #expect(text.contains(#""manufacturerData":{"4660":"01ab"}"#))
        #expect(text.contains(#""properties":["read","notify"]"#))
        #expect(text.contains(#""interval_ms":50"#))
        #expect(text.contains(#""primary":false"#))
    }

    @Test(arguments: ["0", "zz", "00 zz"])
    func `refuses bytes that are not hexadecimal`(_ value: String) {
        let text =
            #"{"name":"Peer","services":[{"uuid":"180F","characteristics":"#
            + #"[{"uuid":"2A19","properties":[],"value":"\#(value)"}]}]}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PeerDescription.self, from: Data(text.utf8))
        }
    }

    @Test func `names attributes by their places`() {
        #expect(PeerAttribute(service: 1, characteristic: 2).description == "1.2")
        #expect(PeerAttribute("1.2.3") == PeerAttribute(service: 1, characteristic: 2, descriptor: 3))
        for text in ["", "1", "1.", "1.2.x", "1.2.3.4"] { #expect(PeerAttribute(text) == nil) }
    }
}
