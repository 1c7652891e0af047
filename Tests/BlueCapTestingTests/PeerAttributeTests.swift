// SPDX-License-Identifier: MIT

import BlueCapTesting
import Testing

@Suite("A peer's attribute")
struct PeerAttributeTests {
    @Test func `names attributes by their places`() {
        #expect(PeerAttribute(service: 1, characteristic: 2).description == "1.2")
        #expect(PeerAttribute("1.2.3") == PeerAttribute(service: 1, characteristic: 2, descriptor: 3))
        for text in ["", "1", "1.", "1.2.x", "1.2.3.4"] { #expect(PeerAttribute(text) == nil) }
    }
}
