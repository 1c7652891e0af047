#if BlueZ && os(Linux)
import CDBus

extension Message {
    /// Decodes the body. Costs time in proportion to its size; may run off the loop.
    ///
    /// Throws `.malformed` for bodies beyond this module's limits on depth and number of values.
    package func body() throws(DBusError) -> [DBusValue] {
        if case .received(let frame) = content { return try WireReader.body(of: frame) }
        let signature = self.signature
        if signature.isEmpty { return [] }
        return try unsafe withWireBytes { bytes throws(DBusError) in
            try unsafe WireReader.body(ofMessage: bytes, signature: signature)
        }
    }

    /// Lends the whole message as it goes over the wire.
    func withWireBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws(DBusError) -> Value
    ) throws(DBusError) -> Value {
        switch content {
        case .received(let frame):
            let result = unsafe frame.bytes.withUnsafeBytes { bytes in
                Result { () throws(DBusError) in try unsafe body(bytes) }
            }
            return try result.get()
        case .built(let raw):
            var bytes: UnsafeMutablePointer<CChar>? = nil
            var count: Int32 = 0
            guard unsafe dbus_message_marshal(raw, &bytes, &count) != 0, let bytes = unsafe bytes else {
                throw .outOfMemory
            }
            defer { unsafe dbus_free(bytes) }
            return try unsafe body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// Decodes a body of the given signature; throws `.unexpectedSignature` for any other.
    package func body(expecting expected: String) throws(DBusError) -> [DBusValue] {
        let found = signature
        guard found == expected else { throw .unexpectedSignature(expected: expected, found: found) }
        return try body()
    }

    /// The text of an error reply.
    package var errorMessage: String {
        guard signature.utf8.first == UInt8(ascii: "s") else { return "" }
        return (try? body())?.first?.stringValue ?? ""
    }

    /// A duplicate of a descriptor of a received message, by the number that `DBusValue.descriptor` holds; the caller owns it.
    package func takeDescriptor(at index: Int) throws(DBusError) -> FileDescriptor {
        guard case .received(let frame) = content else { throw .malformed("no descriptor \(index)") }
        return try frame.descriptors.duplicate(index)
    }
}
#endif
