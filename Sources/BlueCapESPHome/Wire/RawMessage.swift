// SPDX-License-Identifier: MIT

/// A message as it is framed: its number, and a body that nobody has looked at.
package struct RawMessage: Hashable, Sendable {
    package let number: UInt16
    package let body: ArraySlice<UInt8>

    package init(number: UInt16, body: ArraySlice<UInt8>) { (self.number, self.body) = (number, body) }

    /// The text of an encrypted frame. Its length says nothing that the frame does not say, and is not compared.
    package init(text: ArraySlice<UInt8>) throws(WireError) {
        guard text.count >= 4 else { throw .malformed }
        let number = UInt16(text[text.startIndex]) << 8 | UInt16(text[text.startIndex + 1])
        self.init(number: number, body: text.dropFirst(4))
    }

    /// The text of an encrypted frame.
    package var text: [UInt8] { Frame.bigEndian(Int(number)) + Frame.bigEndian(body.count) + body }
}
