// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
extension DBusValue {
    /// Deepest nesting of containers in a body, variants included.
    static let maximumDepth = 64
    /// The bus disconnects senders of longer messages, header included.
    static let maximumMessageLength = 32 * 1024 * 1024
    /// The greatest length of a sent body, which leaves room for a header.
    static let maximumBodyLength = maximumMessageLength - 64 * 1024

    /// Throws `.invalidArgument` unless the value can be sent. Adds about its length on the wire to `length`.
    func validate(depth: Int = 0, length: inout Int) throws(DBusError) {
        guard depth <= Self.maximumDepth else { throw .invalidArgument("nested deeper than \(Self.maximumDepth)") }
        length += 8
        switch self {
        case .byte, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .descriptor:
            break
        case .string(let text):
            guard Names.isString(text) else { throw .invalidArgument("a string with NUL") }
            length += text.utf8.count
        case .objectPath(let path):
            guard Names.isObjectPath(path) else { throw .invalidArgument("object path \(path)") }
            length += path.utf8.count
        case .signature(let text):
            guard Signature.isValid(text) else { throw .invalidArgument("signature \(text)") }
            length += text.utf8.count
        case .bytes(let bytes):
            length += bytes.count
        case .array(let values, let element):
            guard Signature.isSingle(element), Signature.isValid("a" + element), element != "y" else {
                throw .invalidArgument("array of \(element)")
            }
            for value in values {
                guard value.signature == element else {
                    throw .invalidArgument("\(value.signature) in an array of \(element)")
                }
                try value.validate(depth: depth + 1, length: &length)
            }
        case .properties(let values):
            for (key, value) in values {
                guard Names.isString(key) else { throw .invalidArgument("a key with NUL") }
                length += key.utf8.count + 8
                try Self.validateInVariant(value, depth: depth + 3, length: &length)
            }
        case .dictionary(let dictionary):
            try dictionary.validate(depth: depth, length: &length)
        case .structure(let fields):
            guard !fields.isEmpty else { throw .invalidArgument("an empty structure") }
            for field in fields { try field.validate(depth: depth + 1, length: &length) }
        case .variant(let value):
            try Self.validateInVariant(value, depth: depth + 1, length: &length)
        }
        guard length <= Self.maximumBodyLength else { throw .invalidArgument("longer than the bus allows") }
    }

    private static func validateInVariant(_ value: DBusValue, depth: Int, length: inout Int) throws(DBusError) {
        // Depth first: the signature of a value nested without end could not be computed.
        try value.validate(depth: depth, length: &length)
        guard Signature.isSingle(value.signature) else { throw .invalidArgument("signature \(value.signature)") }
    }
}

extension DBusDictionary {
    fileprivate func validate(depth: Int, length: inout Int) throws(DBusError) {
        guard Signature.isBasic(keySignature), Signature.isSingle("a{" + keySignature + valueSignature + "}") else {
            throw .invalidArgument("dictionary of \(keySignature) to \(valueSignature)")
        }
        for entry in entries {
            guard entry.key.signature == keySignature, entry.value.signature == valueSignature else {
                throw .invalidArgument(
                    "\(entry.key.signature) to \(entry.value.signature) in a dictionary of "
                        + "\(keySignature) to \(valueSignature)")
            }
            try entry.key.validate(depth: depth + 2, length: &length)
            try entry.value.validate(depth: depth + 2, length: &length)
        }
    }
}
#endif
