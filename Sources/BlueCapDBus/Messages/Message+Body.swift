// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapLoop

extension Message {
    private static let bytesSignature = Array("ay".utf8)

    /// Decodes the body. Costs time in proportion to its size; may run off the loop.
    ///
    /// Throws `.malformed` for bodies beyond this module's limits on depth and number of values.
    package func body() throws(DBusError) -> [DBusValue] { try WireReader.body(of: frame) }

    /// Decodes a body of the given signature; throws `.unexpectedSignature` for any other.
    package func body(expecting expected: String) throws(DBusError) -> [DBusValue] {
        let found = signature
        guard found == expected else { throw .unexpectedSignature(expected: expected, found: found) }
        return try body()
    }

    /// The bytes of a body that is one `ay`; throws `.unexpectedSignature` for any other.
    package func bytesOfBody() throws(DBusError) -> ArraySlice<UInt8> {
        guard frame.has(.signature, Self.bytesSignature) else {
            throw .unexpectedSignature(expected: "ay", found: signature)
        }
        // The body was checked; the array's length stands before them.
        return frame.slice(frame.header.bodyStart + 4..<frame.place.count)
    }

    package var errorMessage: String {
        guard signature.utf8.first == UInt8(ascii: "s") else { return "" }
        return (try? body())?.first?.stringValue ?? ""
    }

    /// A duplicate of one of the message's descriptors, by the number that `DBusValue.descriptor` holds; the caller
    /// owns it.
    package func takeDescriptor(at index: Int) throws(DBusError) -> FileDescriptor {
        try frame.descriptors.duplicate(index)
    }
}
#endif
