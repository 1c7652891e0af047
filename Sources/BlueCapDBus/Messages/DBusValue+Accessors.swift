// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
// Each accessor looks through variants and is nil when the value is of another type.
extension DBusValue {
    /// The value inside any number of variants.
    package var unwrapped: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// A string; not an object path.
    package var stringValue: String? { if case .string(let value) = unwrapped { value } else { nil } }

    package var objectPathValue: String? { if case .objectPath(let value) = unwrapped { value } else { nil } }

    package var boolValue: Bool? { if case .bool(let value) = unwrapped { value } else { nil } }

    package var doubleValue: Double? { if case .double(let value) = unwrapped { value } else { nil } }

    package var bytesValue: [UInt8]? { if case .bytes(let value) = unwrapped { value } else { nil } }

    package var descriptorValue: Int? { if case .descriptor(let value) = unwrapped { value } else { nil } }

    /// Any integer type, when the value fits.
    package func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer? {
        switch unwrapped {
        case .byte(let value): Integer(exactly: value)
        case .int16(let value): Integer(exactly: value)
        case .uint16(let value): Integer(exactly: value)
        case .int32(let value): Integer(exactly: value)
        case .uint32(let value): Integer(exactly: value)
        case .int64(let value): Integer(exactly: value)
        case .uint64(let value): Integer(exactly: value)
        default: nil
        }
    }

    package var byteValue: UInt8? { if case .byte(let value) = unwrapped { value } else { nil } }

    package var int16Value: Int16? { if case .int16(let value) = unwrapped { value } else { nil } }

    package var uint16Value: UInt16? { if case .uint16(let value) = unwrapped { value } else { nil } }

    package var uint32Value: UInt32? { if case .uint32(let value) = unwrapped { value } else { nil } }

    /// The elements of an array other than `ay`.
    package var arrayValue: [DBusValue]? { if case .array(let values, _) = unwrapped { values } else { nil } }

    /// The elements of an `as`; nil when any is something else.
    package var stringsValue: [String]? {
        guard case .array(let values, of: "s") = unwrapped else { return nil }
        return values.compactMap(\.stringValue)
    }

    /// The elements of an `ao`.
    package var objectPathsValue: [String]? {
        guard case .array(let values, of: "o") = unwrapped else { return nil }
        return values.compactMap(\.objectPathValue)
    }

    /// An `a{sv}` by key.
    package var propertiesValue: [String: DBusValue]? {
        if case .properties(let values) = unwrapped { values } else { nil }
    }

    /// The entries of any dictionary; those of an `a{sv}` in no particular order.
    package var entriesValue: [DBusDictionary.Entry]? {
        switch unwrapped {
        case .dictionary(let dictionary): dictionary.entries
        case .properties(let values): values.map { .init(key: .string($0.key), value: $0.value) }
        default: nil
        }
    }

    package var structureValue: [DBusValue]? { if case .structure(let fields) = unwrapped { fields } else { nil } }
}
#endif
