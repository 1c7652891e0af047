// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension TextField {
    /// Bytes in hexadecimal; an optional one is left out of the text when it is empty.
    static func hex(
        _ name: String, _ path: any WritableKeyPath<Root, Bytes> & Sendable, isOptional: Bool = false
    ) -> TextField {
        TextField(
            name, isOptional: isOptional,
            text: { isOptional && $0[keyPath: path].isEmpty ? nil : $0[keyPath: path].hex },
            parse: { root, text in
                guard let bytes = try? Bytes(hex: text) else { return false }
                root[keyPath: path] = bytes
                return true
            })
    }
}
