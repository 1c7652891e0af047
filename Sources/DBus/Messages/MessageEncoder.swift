#if BlueZ && os(Linux)
import CDBus

/// Appends values that passed `DBusValue.validate` to a message under construction.
enum MessageEncoder {
    static func append(_ value: DBusValue, to iterator: inout DBusMessageIter) throws(DBusError) {
        switch value {
        case .byte(let value): try unsafe basic(value, TypeCode.byte, &iterator)
        case .bool(let value): try unsafe basic(UInt32(value ? 1 : 0), TypeCode.bool, &iterator)
        case .int16(let value): try unsafe basic(value, TypeCode.int16, &iterator)
        case .uint16(let value): try unsafe basic(value, TypeCode.uint16, &iterator)
        case .int32(let value): try unsafe basic(value, TypeCode.int32, &iterator)
        case .uint32(let value): try unsafe basic(value, TypeCode.uint32, &iterator)
        case .int64(let value): try unsafe basic(value, TypeCode.int64, &iterator)
        case .uint64(let value): try unsafe basic(value, TypeCode.uint64, &iterator)
        case .double(let value): try unsafe basic(value, TypeCode.double, &iterator)
        case .string(let value): try unsafe text(value, TypeCode.string, &iterator)
        case .objectPath(let value): try unsafe text(value, TypeCode.objectPath, &iterator)
        case .signature(let value): try unsafe text(value, TypeCode.signature, &iterator)
        case .descriptor: throw .invalidArgument("a descriptor is appended by its owner")
        case .bytes(let bytes): try unsafe append(bytes, &iterator)
        case .array(let values, let element):
            try unsafe container(TypeCode.array, element, &iterator) { inner throws(DBusError) in
                for value in values { try unsafe append(value, to: &inner) }
            }
        case .properties(let properties):
            try unsafe container(TypeCode.array, "{sv}", &iterator) { inner throws(DBusError) in
                for (key, value) in properties {
                    try unsafe entry(.string(key), .variant(value), &inner)
                }
            }
        case .dictionary(let dictionary):
            let element = "{" + dictionary.keySignature + dictionary.valueSignature + "}"
            try unsafe container(TypeCode.array, element, &iterator) { inner throws(DBusError) in
                for pair in dictionary.entries { try unsafe entry(pair.key, pair.value, &inner) }
            }
        case .structure(let fields):
            try unsafe container(TypeCode.structure, nil, &iterator) { inner throws(DBusError) in
                for field in fields { try unsafe append(field, to: &inner) }
            }
        case .variant(let value):
            try unsafe container(TypeCode.variant, value.signature, &iterator) { inner throws(DBusError) in
                try unsafe append(value, to: &inner)
            }
        }
    }

    private static func entry(
        _ key: DBusValue, _ value: DBusValue, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        try unsafe container(TypeCode.dictionaryEntry, nil, &iterator) { inner throws(DBusError) in
            try unsafe append(key, to: &inner)
            try unsafe append(value, to: &inner)
        }
    }

    private static func container(
        _ code: Int32, _ signature: String?, _ iterator: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = unsafe DBusMessageIter()
        guard unsafe dbus_message_iter_open_container(&iterator, code, signature, &inner) != 0 else {
            throw .outOfMemory
        }
        do throws(DBusError) {
            try unsafe body(&inner)
        } catch {
            unsafe dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard unsafe dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .outOfMemory }
    }

    private static func append(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) throws(DBusError) {
        try unsafe container(TypeCode.array, "y", &iterator) { inner throws(DBusError) in
            let appended = unsafe bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return unsafe dbus_message_iter_append_fixed_array(
                    &inner, TypeCode.byte, &start, Int32(buffer.count))
            }
            guard bytes.isEmpty || appended != 0 else { throw .outOfMemory }
        }
    }

    private static func basic<Value: BitwiseCopyable>(
        _ value: Value, _ code: Int32, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        var value = value
        guard unsafe dbus_message_iter_append_basic(&iterator, code, &value) != 0 else { throw .outOfMemory }
    }

    private static func text(
        _ text: String, _ code: Int32, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        let appended = unsafe text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = unsafe pointer
            return unsafe dbus_message_iter_append_basic(&iterator, code, &pointer)
        }
        guard appended != 0 else { throw .outOfMemory }
    }
}
#endif
