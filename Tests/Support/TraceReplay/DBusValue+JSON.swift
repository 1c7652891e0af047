// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus

/// Message bodies in the traces' form: a variant is `{"signature": value}`, bytes are hexadecimal text.
extension DBusValue {
    var json: JSONValue {
        switch self {
        case .byte(let value): .integer(Int(value))
        case .bool(let value): .bool(value)
        case .int16(let value): .integer(Int(value))
        case .uint16(let value): .integer(Int(value))
        case .int32(let value): .integer(Int(value))
        case .uint32(let value): .integer(Int(value))
        case .int64(let value): .integer(Int(value))
        case .uint64(let value): .text("\(value)")
        case .double(let value): .text("\(value)")
        case .string(let value), .objectPath(let value), .signature(let value): .text(value)
        case .descriptor(let value): .integer(value)
        case .bytes(let value): .text(Self.hex(value))
        case .array(let values, _): .list(values.map(\.json))
        case .structure(let values): .list(values.map(\.json))
        case .properties(let values): .object(values.mapValues { .object([$0.signature: $0.json]) })
        case .dictionary(let dictionary):
            .object(Dictionary(dictionary.entries.map { (Self.key($0.key), $0.value.json) }) { first, _ in first })
        case .variant(let value): .object([value.signature: value.json])
        }
    }

    /// The value of one of the signatures that traces' calls have.
    init?(_ json: JSONValue, signature: String) {
        switch signature {
        case "s": self = .string(json.text ?? "")
        case "o": self = .objectPath(json.text ?? "/")
        case "b": self = .bool(json.bool ?? false)
        case "n": self = .int16(Int16(json.integer ?? 0))
        case "q": self = .uint16(UInt16(json.integer ?? 0))
        case "u": self = .uint32(UInt32(json.integer ?? 0))
        case "ay": self = .bytes(Self.bytes(json.text ?? ""))
        case "as": self = .strings((json.list ?? []).compactMap(\.text))
        case "v":
            guard let (signature, value) = json.object?.first else { return nil }
            guard let value = DBusValue(value, signature: signature) else { return nil }
            self = .variant(value)
        case "a{sv}":
            var properties: [String: DBusValue] = [:]
            for (key, variant) in json.object ?? [:] {
                guard let (signature, value) = variant.object?.first, let value = DBusValue(value, signature: signature)
                else { return nil }
                properties[key] = value
            }
            self = .properties(properties)
        case "a{sa{sv}}": self.init(json, key: "s", value: "a{sv}")
        case "a{oa{sa{sv}}}": self.init(json, key: "o", value: "a{sa{sv}}")
        default: return nil
        }
    }

    private init?(_ json: JSONValue, key: String, value: String) {
        let entries = (json.object ?? [:]).sorted { $0.key < $1.key }.compactMap { entry in
            DBusValue(.text(entry.key), signature: key).flatMap { key in
                DBusValue(entry.value, signature: value).map { DBusDictionary.Entry(key: key, value: $0) }
            }
        }
        guard entries.count == json.object?.count else { return nil }
        self = .dictionary(DBusDictionary(keySignature: key, valueSignature: value, entries: entries))
    }

    /// A body of one of the signatures that traces have.
    static func body(_ json: JSONValue, signature: String) -> [DBusValue]? {
        let several = [
            "": [], "os": ["o", "s"], "aya{sv}": ["ay", "a{sv}"], "ss": ["s", "s"], "ssv": ["s", "s", "v"],
            "oa{sv}": ["o", "a{sv}"], "sa{sv}as": ["s", "a{sv}", "as"],
        ]
        let signatures = several[signature] ?? [signature]
        let values = zip(json.list ?? [], signatures).compactMap { DBusValue($0, signature: $1) }
        return values.count == signatures.count ? values : nil
    }

    private static func key(_ value: DBusValue) -> String {
        if case .integer(let number) = value.json { "\(number)" } else { value.json.text ?? "" }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
    }
}
#endif
