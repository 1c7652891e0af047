// SPDX-License-Identifier: MIT

/// The key that clients and a proxy share: 32 bytes, written in base64. No description shows it.
package struct NoiseKey: Sendable {
    static let byteCount = 32

    let bytes: [UInt8]

    /// A key of its bytes; nil for another number of bytes, and for zeros alone, which stand for no key.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
    }

    /// A key of its text in base64, without white space around it.
    package init?(base64 text: some StringProtocol) {
        guard let bytes = Base64.decode(text) else { return nil }
        self.init(bytes)
    }

    /// A new key.
    package static func random() -> NoiseKey {
        var generator = SystemRandomNumberGenerator()
        while true {
            let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            if let key = NoiseKey(bytes) { return key }
        }
    }

    /// The text for the file of the key, and for nothing else.
    package var secretText: String { Base64.encode(bytes) }
}

extension NoiseKey: CustomStringConvertible, CustomReflectable {
    /// Says that it is a key, and not which.
    package var description: String { "NoiseKey" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
