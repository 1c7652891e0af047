// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapTestExecutor

extension SeededRandom {
    /// A random value that may be sent.
    mutating func value(depth: Int = 0) -> DBusValue {
        let kinds = depth < 4 ? 19 : 13
        switch Int.random(in: 0..<kinds, using: &self) {
        case 0: return .byte(.random(in: .min ... .max, using: &self))
        case 1: return .bool(.random(using: &self))
        case 2: return .int16(.random(in: .min ... .max, using: &self))
        case 3: return .uint16(.random(in: .min ... .max, using: &self))
        case 4: return .int32(.random(in: .min ... .max, using: &self))
        case 5: return .uint32(.random(in: .min ... .max, using: &self))
        case 6: return .int64(.random(in: .min ... .max, using: &self))
        case 7: return .uint64(next())
        case 8: return .double(.random(in: -1e9...1e9, using: &self))
        case 9: return .string(text())
        case 10: return .objectPath("/" + text().unicodeScalars.filter(\.isASCII).map(String.init).joined())
        case 11: return .signature(["", "a{sv}", "(iay)", "v", "at"].randomElement(using: &self) ?? "")
        case 12:
            return .bytes((0..<Int.random(in: 0..<40, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) })
        case 13: return .strings((0..<Int.random(in: 0..<4, using: &self)).map { _ in text() })
        case 14: return array(depth: depth)
        case 15:
            let count = Int.random(in: 0..<4, using: &self)
            return .properties(
                Dictionary((0..<count).map { _ in (text(), value(depth: depth + 1)) }, uniquingKeysWith: { $1 }))
        case 16: return dictionary(depth: depth)
        case 17:
            return .structure((0..<Int.random(in: 1..<4, using: &self)).map { _ in value(depth: depth + 1) })
        default: return .variant(value(depth: depth + 1))
        }
    }

    private mutating func text() -> String {
        let letters = ["a", "b", "Z", "9", "_", "é", "蓝"]
        return (0..<Int.random(in: 1..<9, using: &self)).map { _ in letters.randomElement(using: &self) ?? "" }.joined()
    }

    private mutating func array(depth: Int) -> DBusValue {
        switch Int.random(in: 0..<5, using: &self) {
        case 0: return .array([], of: ["t", "(sv)", "v", "a{sv}", "ay", "q"].randomElement(using: &self) ?? "t")
        case 1: return .array((0..<3).map { _ in .uint64(next()) }, of: "t")
        case 2: return .array((0..<3).map { _ in .variant(value(depth: depth + 1)) }, of: "v")
        case 3: return .array([.bytes([1, 2, 3]), .bytes([])], of: "ay")
        default: return .array((0..<2).map { _ in .structure([.byte(1), .string(text())]) }, of: "(ys)")
        }
    }

    private mutating func dictionary(depth: Int) -> DBusValue {
        let count = Int.random(in: 0..<4, using: &self)
        let entries = (0..<count).map { _ in
            DBusDictionary.Entry(
                key: .uint16(.random(in: .min ... .max, using: &self)), value: .variant(value(depth: depth + 1)))
        }
        return .dictionary(DBusDictionary(keySignature: "q", valueSignature: "v", entries: entries))
    }
}
#endif
