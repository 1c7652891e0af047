#if BlueZ && os(Linux)
import CDBus

extension Message {
    /// Decodes the body. Costs time in proportion to its size; may run off the loop.
    ///
    /// Throws `.malformed` for bodies beyond this module's limits on depth and number of values.
    package func body() throws(DBusError) -> [DBusValue] {
        if unsafe dbus_message_contains_unix_fds(raw) != 0 { return try IteratorReader.body(of: self) }
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
        var bytes: UnsafeMutablePointer<CChar>? = nil
        var count: Int32 = 0
        guard unsafe dbus_message_marshal(raw, &bytes, &count) != 0, let bytes = unsafe bytes else {
            throw .outOfMemory
        }
        defer { unsafe dbus_free(bytes) }
        return try unsafe body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
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

    /// A duplicate of the descriptor with the given position in the body, counted from 0 over all descriptors; the
    /// caller owns it.
    package func takeDescriptor(at position: Int) throws(DBusError) -> FileDescriptor {
        try IteratorReader.descriptor(at: position, of: self)
    }
}
#endif
