#if BlueZ && os(Linux)
/// A `PropertiesChanged` as it stands among the bytes that came, with its body checked: the properties of one interface of one
/// object that have new values, in order. Nothing is made of them before it is asked for.
///
/// It shares the bytes with the connection, which goes on in others if this is kept: do not. Loop only.
package final class PropertiesChanged {
    /// Where a property stands that has a new value.
    package struct Property {
        fileprivate let name: Range<Int>
        fileprivate let signature: Range<Int>
        fileprivate let value: Range<Int>
    }

    static let member = "PropertiesChanged"
    private static let signature = Array("sa{sv}as".utf8)

    private let frame: Frame
    /// Where the name of the interface stands.
    private let interfacePlace: Range<Int>
    /// What walks over the properties; positions count from the message's first byte.
    private let properties: WireChecker
    /// Whether there are properties without a value.
    package let hasInvalidated: Bool

    /// Nil for another signature than that of `PropertiesChanged`; throws `.malformed` for a body that breaks D-Bus's rules.
    init?(_ frame: Frame) throws(DBusError) {
        guard frame.has(.signature, Self.signature) else { return nil }
        try frame.checkBody()
        self.frame = frame
        let bytes = frame.bytes.span.extracting(frame.place)
        var body = WireChecker(isSwapped: frame.header.isSwapped, position: frame.header.bodyStart, end: bytes.count)
        interfacePlace = try body.text(in: bytes)
        properties = try body.elements(alignment: 8, in: bytes)
        body.position = properties.end
        let invalidated = try body.elements(alignment: 4, in: bytes)
        hasInvalidated = invalidated.position < invalidated.end
    }

    /// The UTF-8 bytes of the object's path.
    package var path: ArraySlice<UInt8> { frame.place(of: .path).map { frame.bytes[$0] } ?? [] }

    /// The UTF-8 bytes of the interface's name.
    package var interface: ArraySlice<UInt8> { frame.slice(interfacePlace) }

    /// The whole signal, for keeping.
    package var message: Message { Message(checked: frame) }

    // MARK: Properties

    /// The property behind another, or the first; nil when there are no more.
    package func next(after property: Property? = nil) -> Property? {
        var walk = properties
        walk.position = property?.value.upperBound ?? properties.position
        guard walk.position < walk.end else { return nil }
        let frame = frame
        let bytes = frame.bytes.span.extracting(frame.place)
        do throws(DBusError) {
            try walk.align(8, in: bytes)
            let name = try walk.text(in: bytes)
            let signature = try walk.signature(in: bytes)
            let start = walk.position
            var next = 0
            try walk.value(bytes.extracting(signature), &next, in: bytes, depth: 3)
            return Property(name: name, signature: signature, value: start..<walk.position)
        } catch {
            // The body was checked, so this does not come.
            return nil
        }
    }

    /// The UTF-8 bytes of a property's name.
    package func name(of property: Property) -> ArraySlice<UInt8> { frame.slice(property.name) }

    /// The bytes of a property that is an `ay`; nil for any other value.
    package func bytes(of property: Property) -> ArraySlice<UInt8>? {
        guard frame.slice(property.signature).span.isEqual(to: "ay") else { return nil }
        // Behind the length.
        let start = (property.value.lowerBound + 3) & ~3 + 4
        return frame.slice(start..<property.value.upperBound)
    }

    /// The value of a property decoded; nil beyond this module's limit on the number of values.
    package func value(of property: Property) -> DBusValue? {
        // The variant begins with the length of its signature.
        try? WireReader.variant(of: frame, at: property.signature.lowerBound - 1)
    }
}
#endif
