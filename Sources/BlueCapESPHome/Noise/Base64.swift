// SPDX-License-Identifier: MIT

/// Base64 of RFC 4648, with padding.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digits[number >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil for a text that ``encode(_:)`` does not write.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let group = rest.prefix(4)
            rest = rest.dropFirst(4)
            var number = 0
            let padding = rest.isEmpty ? group.reversed().prefix { $0 == UInt8(ascii: "=") }.count : 0
            guard group.count == 4, padding <= 2 else { return nil }
            for digit in group.dropLast(padding) {
                guard let value = digits.firstIndex(of: digit) else { return nil }
                number = number << 6 | value
            }
            number <<= 6 * padding
            bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }.dropLast(padding)
        }
        return encode(bytes) == text ? bytes : nil
    }
}
