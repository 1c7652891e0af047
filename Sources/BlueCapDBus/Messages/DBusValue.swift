// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// One value of a message body.
///
/// `a{sv}`, by far the most common container of BlueZ, has a case of its own with the variants already taken off. A
/// value larger than a text is indirect, so that a property takes no allocation and little room in such a dictionary.
package enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// The number of one of the message's descriptors, counted from 0; see `Message.takeDescriptor(at:)`.
    case descriptor(Int)
    /// `ay`.
    case bytes([UInt8])
    /// An array of anything but bytes and dictionary entries; `of` is the signature of one element.
    indirect case array([DBusValue], of: String)
    /// `a{sv}`; the values stand without their variant.
    case properties([String: DBusValue])
    /// Any other dictionary, in wire order.
    indirect case dictionary(DBusDictionary)
    case structure([DBusValue])
    indirect case variant(DBusValue)

    /// `as`.
    package static func strings(_ values: [String]) -> DBusValue { .array(values.map(DBusValue.string), of: "s") }

    /// `ao`.
    package static func objectPaths(_ values: [String]) -> DBusValue {
        .array(values.map(DBusValue.objectPath), of: "o")
    }

    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .bytes: "ay"
        case .array(_, let element): "a" + element
        case .properties: "a{sv}"
        case .dictionary(let dictionary): "a{" + dictionary.keySignature + dictionary.valueSignature + "}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }
}

/// A dictionary other than `a{sv}`, such as the `a{qv}` of manufacturer data.
package struct DBusDictionary: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var key: DBusValue
        package var value: DBusValue

        package init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// One basic type.
    package var keySignature: String
    /// One complete type. With `v` the entries hold `.variant`.
    package var valueSignature: String
    package var entries: [Entry]

    package init(keySignature: String, valueSignature: String, entries: [Entry] = []) {
        self.keySignature = keySignature
        self.valueSignature = valueSignature
        self.entries = entries
    }
}
#endif
