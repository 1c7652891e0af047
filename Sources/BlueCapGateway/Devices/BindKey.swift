// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapSerDe

/// The key of a sensor that encrypts its frames, which no description prints.
package struct BindKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: Bytes

    /// Nil for other than 32 hexadecimal digits, or 24 of a sensor that has less.
    package init?(hex: String) {
        guard [24, 32].contains(hex.utf8.count), hex.allSatisfy(\.isHexDigit), let bytes = try? Bytes(hex: hex) else {
            return nil
        }
        self.bytes = bytes
    }

    package var description: String { "BindKey" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
