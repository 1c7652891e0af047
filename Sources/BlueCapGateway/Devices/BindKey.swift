// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapSerDe

/// The key of a sensor that encrypts its frames, which no description prints.
package struct BindKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: Bytes

    /// Nil for other than 32 hexadecimal digits.
    package init?(hex: String) {
        guard hex.utf8.count == 32, hex.allSatisfy(\.isHexDigit), let bytes = try? Bytes(hex: hex) else { return nil }
        self.bytes = bytes
    }

    package var description: String { "BindKey" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
