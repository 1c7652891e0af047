#if BlueZ && os(Linux)
import CDBus

/// Decodes a body with libdbus's iterators: slower than `WireReader`, but the only way to a message's descriptors.
struct IteratorReader {
    private var descriptors = 0
    private var values = 0

    static func body(of message: Message) throws(DBusError) -> [DBusValue] {
        var reader = IteratorReader()
        var iterator = unsafe DBusMessageIter()
        guard unsafe dbus_message_iter_init(message.raw, &iterator) != 0 else { return [] }
        return try unsafe reader.sequence(&iterator, depth: 0)
    }

    static func descriptor(at position: Int, of message: Message) throws(DBusError) -> FileDescriptor {
        var iterator = unsafe DBusMessageIter()
        var left = position
        if unsafe dbus_message_iter_init(message.raw, &iterator) != 0,
            let found = unsafe find(&left, &iterator, depth: 0)
        {
            return FileDescriptor(owning: found)
        }
        throw .malformed("no descriptor at \(position)")
    }

    private static func find(_ left: inout Int, _ iterator: inout DBusMessageIter, depth: Int) -> Int32? {
        guard depth <= DBusValue.maximumDepth else { return nil }
        repeat {
            switch unsafe dbus_message_iter_get_arg_type(&iterator) {
            case TypeCode.descriptor:
                if left == 0 {
                    var descriptor: Int32 = -1
                    unsafe dbus_message_iter_get_basic(&iterator, &descriptor)
                    return descriptor < 0 ? nil : descriptor
                }
                left -= 1
            case TypeCode.array, TypeCode.structure, TypeCode.variant, TypeCode.dictionaryEntry:
                var inner = unsafe DBusMessageIter()
                unsafe dbus_message_iter_recurse(&iterator, &inner)
                if let found = unsafe find(&left, &inner, depth: depth + 1) { return found }
            default: break
            }
        } while unsafe dbus_message_iter_next(&iterator) != 0
        return nil
    }

    private mutating func sequence(
        _ iterator: inout DBusMessageIter, depth: Int
    ) throws(DBusError) -> [DBusValue] {
        var result: [DBusValue] = []
        while unsafe dbus_message_iter_get_arg_type(&iterator) != TypeCode.invalid {
            result.append(try unsafe value(&iterator, depth: depth))
            unsafe dbus_message_iter_next(&iterator)
        }
        return result
    }

    private mutating func value(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusError) -> DBusValue {
        guard depth <= DBusValue.maximumDepth else { throw .malformed("nested too deeply") }
        values += 1
        guard values <= WireReader.maximumValues else { throw .malformed("too many values") }
        let code = unsafe dbus_message_iter_get_arg_type(&iterator)
        switch code {
        case TypeCode.byte: return .byte(unsafe basic(&iterator, 0))
        case TypeCode.bool: return .bool(unsafe basic(&iterator, UInt32(0)) != 0)
        case TypeCode.int16: return .int16(unsafe basic(&iterator, 0))
        case TypeCode.uint16: return .uint16(unsafe basic(&iterator, 0))
        case TypeCode.int32: return .int32(unsafe basic(&iterator, 0))
        case TypeCode.uint32: return .uint32(unsafe basic(&iterator, 0))
        case TypeCode.int64: return .int64(unsafe basic(&iterator, 0))
        case TypeCode.uint64: return .uint64(unsafe basic(&iterator, 0))
        case TypeCode.double: return .double(unsafe basic(&iterator, 0))
        case TypeCode.string: return .string(unsafe text(&iterator))
        case TypeCode.objectPath: return .objectPath(unsafe text(&iterator))
        case TypeCode.signature: return .signature(unsafe text(&iterator))
        case TypeCode.descriptor:
            // Reading the value would duplicate the descriptor; its position is enough.
            descriptors += 1
            return .descriptor(descriptors - 1)
        case TypeCode.variant:
            var inner = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&iterator, &inner)
            return .variant(try unsafe value(&inner, depth: depth + 1))
        case TypeCode.structure:
            var inner = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&iterator, &inner)
            return .structure(try unsafe sequence(&inner, depth: depth + 1))
        case TypeCode.array:
            return try unsafe array(&iterator, depth: depth)
        default:
            throw .malformed("type code \(code)")
        }
    }

    private mutating func array(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusError) -> DBusValue {
        let elementCode = unsafe dbus_message_iter_get_element_type(&iterator)
        var inner = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(&iterator, &inner)
        if elementCode == TypeCode.byte {
            var start: UnsafePointer<UInt8>? = nil
            var count: Int32 = 0
            unsafe dbus_message_iter_get_fixed_array(&inner, &start, &count)
            return .bytes(unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count))))
        }
        let signature = unsafe signature(of: &iterator)
        guard elementCode == TypeCode.dictionaryEntry else {
            return .array(try unsafe sequence(&inner, depth: depth + 1), of: String(signature.dropFirst()))
        }
        var dictionary = DBusDictionary(
            keySignature: String(signature.dropFirst(2).prefix(1)),
            valueSignature: String(signature.dropFirst(3).dropLast()))
        while unsafe dbus_message_iter_get_arg_type(&inner) != TypeCode.invalid {
            var entry = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&inner, &entry)
            let key = try unsafe value(&entry, depth: depth + 2)
            unsafe dbus_message_iter_next(&entry)
            dictionary.entries.append(.init(key: key, value: try unsafe value(&entry, depth: depth + 2)))
            unsafe dbus_message_iter_next(&inner)
        }
        return signature == "a{sv}" ? .properties(dictionary.properties) : .dictionary(dictionary)
    }

    private func basic<Value: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ initial: Value) -> Value {
        var value = initial
        unsafe dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private func text(_ iterator: inout DBusMessageIter) -> String {
        var pointer: UnsafePointer<CChar>? = nil
        unsafe dbus_message_iter_get_basic(&iterator, &pointer)
        return unsafe Message.text(pointer) ?? ""
    }

    private func signature(of iterator: inout DBusMessageIter) -> String {
        guard let pointer = unsafe dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { unsafe dbus_free(pointer) }
        return unsafe String(cString: pointer)
    }
}

extension DBusDictionary {
    /// The entries of an `a{sv}` by key, the variants taken off; a later one of the same key wins.
    fileprivate var properties: [String: DBusValue] {
        var result: [String: DBusValue] = [:]
        for entry in entries {
            guard case .string(let key) = entry.key, case .variant(let value) = entry.value else { continue }
            result[key] = value
        }
        return result
    }
}
#endif
