// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// A `PropertiesChanged` as a view of the received bytes, with its body checked: the properties of one interface of one
/// object that have new values, in order. Values are decoded when they are asked for.
///
/// It shares the bytes with the connection, and becomes the next signal when its handler has returned: do not keep it.
/// Loop only.
package final class PropertiesChanged {
    /// Where a property stands that has a new value.
    package struct Property {
        fileprivate let name: Range<Int>
        fileprivate let signature: Range<Int>
        fileprivate let value: Range<Int>
    }

    static let member = "PropertiesChanged"
    private static let signature = Array("sa{sv}as".utf8)

    /// The parts that a change has in common with those before it on a connection: changes of equal fingerprint are of
    /// the same object, interface and property, the only one.
    package struct Fingerprint: Equatable, Sendable {
        fileprivate let header: UInt64
        fileprivate let layout: UInt64
    }

    private var frame: Frame
    /// The number shared by changes whose bodies are alike but for the value; nil where it is not known.
    var layoutNumber: UInt64?
    /// Where the name of the interface stands.
    private let interfacePlace: Range<Int>
    /// The checker that walks over the properties; positions count from the message's first byte.
    private var properties: WireChecker
    /// Mostly the only property.
    private var first: Property?
    private let isFirstBytes: Bool
    /// The names of the properties without a value.
    private var invalidatedPlaces: WireChecker

    /// Nil for another signature than that of `PropertiesChanged`; throws `.malformed` for a body that breaks D-Bus's
    /// rules.
    init?(_ frame: Frame) throws(DBusError) {
        guard frame.has(.signature, Self.signature) else { return nil }
        self.frame = frame
        let bytes = frame.bytes.span.extracting(frame.place)
        var body = WireChecker(isSwapped: frame.header.isSwapped, position: frame.header.bodyStart, end: bytes.count)
        interfacePlace = try body.checkedText(in: bytes)
        properties = try body.elements(alignment: 8, in: bytes)
        var walk = properties
        var first: Property?
        while walk.position < walk.end {
            let property = try Self.property(&walk, in: bytes)
            if first == nil { first = property }
        }
        self.first = first
        isFirstBytes = first.map { bytes.extracting($0.signature).isEqual(to: "ay") } ?? false
        body.position = properties.end
        var invalidated = try body.elements(alignment: 4, in: bytes)
        invalidatedPlaces = invalidated
        while invalidated.position < invalidated.end { _ = try invalidated.checkedText(in: bytes) }
        guard invalidated.end == bytes.count else { throw .malformed("bytes after the last value") }
    }

    // MARK: One after another

    /// The layout, if later signals are likely to change the value alone: there is one property, of bytes or a number,
    /// and none without a value.
    var layout: PropertyLayout? {
        guard let first, first.value.upperBound == properties.end, !hasInvalidated, let family = frame.shape?.family
        else { return nil }
        let received = frame.bytes
        let bytes = received.span.extracting(frame.place)
        return PropertyLayout(
            family: family, start: frame.header.bodyStart, interface: interfacePlace, signature: first.signature,
            in: bytes)
    }

    /// Becomes another signal of the same layout as this one's, whose value ends there.
    func become(_ frame: Frame, valueEnd: Int) {
        guard let first else { return }
        self.frame = frame
        self.first = Property(
            name: first.name, signature: first.signature, value: first.value.lowerBound..<valueEnd)
        properties = WireChecker(isSwapped: properties.isSwapped, position: properties.position, end: valueEnd)
        let invalidated = (valueEnd + 3) & ~3 + 4
        invalidatedPlaces = WireChecker(isSwapped: properties.isSwapped, position: invalidated, end: invalidated)
    }

    /// Releases the bytes, in which the connection goes on, and the descriptors.
    func letGo() {
        frame.bytes = []
        frame.descriptors = .none
    }

    // MARK: Object and interface

    /// Nil where it is not known.
    package var fingerprint: Fingerprint? {
        guard let layoutNumber, let shape = frame.shape else { return nil }
        return Fingerprint(header: shape.header, layout: layoutNumber)
    }

    /// The UTF-8 bytes of the object's path.
    package var path: ArraySlice<UInt8> { frame.place(of: .path).map { frame.bytes[$0] } ?? [] }

    /// The UTF-8 bytes of the interface's name.
    package var interface: ArraySlice<UInt8> { frame.slice(interfacePlace) }

    /// Whether there are properties without a value.
    package var hasInvalidated: Bool { invalidatedPlaces.position < invalidatedPlaces.end }

    /// The names of the properties without a value.
    package var invalidated: [String] {
        let received = frame.bytes
        let bytes = received.span.extracting(frame.place)
        var walk = invalidatedPlaces
        var names: [String] = []
        // The body was checked, so there is no error.
        while walk.position < walk.end, let name = try? walk.text(in: bytes) {
            names.append(String(decoding: frame.slice(name), as: UTF8.self))
        }
        return names
    }

    /// The whole signal, for keeping.
    package var message: Message { Message(checked: frame) }

    /// A signal that was kept; nil for one of another signature.
    package static func of(_ signal: Message) -> PropertiesChanged? { (try? PropertiesChanged(signal.frame)) ?? nil }

    // MARK: Properties

    /// The property behind another, or the first; nil when there are no more.
    package func next(after property: Property? = nil) -> Property? {
        guard let property else { return first }
        var walk = properties
        walk.position = property.value.upperBound
        guard walk.position < walk.end else { return nil }
        let received = frame.bytes
        // The body was checked, so there is no error.
        return try? Self.property(&walk, in: received.span.extracting(frame.place))
    }

    /// Walks over a property, and checks it.
    private static func property(_ walk: inout WireChecker, in bytes: Span<UInt8>) throws(DBusError) -> Property {
        try walk.align(8, in: bytes)
        let name = try walk.checkedText(in: bytes)
        let signature = try walk.variantSignature(in: bytes)
        let start = walk.position
        var next = 0
        // In a variant, in an entry, in a dictionary.
        try walk.value(bytes.extracting(signature), &next, in: bytes, depth: 3)
        return Property(name: name, signature: signature, value: start..<walk.position)
    }

    /// The UTF-8 bytes of a property's name.
    package func name(of property: Property) -> ArraySlice<UInt8> { frame.slice(property.name) }

    package func isNamed(_ name: String, _ property: Property) -> Bool { isEqual(property.name, name) }

    package func isOf(_ interface: String) -> Bool { isEqual(interfacePlace, interface) }

    private func isEqual(_ place: Range<Int>, _ text: String) -> Bool {
        let received = frame.bytes
        return received.span.extracting(frame.place).extracting(place).isEqual(to: text.utf8Span.span)
    }

    /// The value of a property that is an `n`; nil for any other.
    package func int16(of property: Property) -> Int16? {
        guard isEqual(property.signature, "n") else { return nil }
        let received = frame.bytes
        let bytes = received.span.extracting(frame.place)
        // Its padding stands before it.
        let start = property.value.upperBound - MemoryLayout<Int16>.size
        return Int16(bitPattern: bytes.shortNumber(at: start, isSwapped: frame.header.isSwapped))
    }

    /// The bytes of the first property, if that is an `ay`: of the only one, where the fingerprint is known.
    package var firstBytes: ArraySlice<UInt8>? { isFirstBytes ? first.map(content) : nil }

    /// The bytes of a property that is an `ay`; nil for any other value.
    package func bytes(of property: Property) -> ArraySlice<UInt8>? {
        isEqual(property.signature, "ay") ? content(of: property) : nil
    }

    private func content(of property: Property) -> ArraySlice<UInt8> {
        // Behind the length.
        let start = (property.value.lowerBound + 3) & ~3 + 4
        return frame.slice(start..<property.value.upperBound)
    }

    /// Copies a property into others, where it replaces the one of its name.
    package func copy(_ property: Property, into properties: inout WireProperties) {
        if !frame.header.isSwapped {
            // The length of the name stands before it.
            let entry = property.name.lowerBound - 4..<property.value.upperBound
            let received = frame.bytes
            properties.take(
                received.span.extracting(frame.place).extracting(entry), nameLength: property.name.count)
        } else if let value = value(of: property) {
            // A received value can be sent again.
            try? properties.set(String(decoding: name(of: property), as: UTF8.self), to: value)
        }
    }

    /// The value of a property decoded; nil beyond this module's limit on the number of values.
    package func value(of property: Property) -> DBusValue? {
        // The variant begins with the length of its signature.
        var position = property.signature.lowerBound - 1
        var values = 0
        return try? WireReader.variant(of: frame, at: &position, values: &values)
    }
}

/// Reads the bodies of a connection's `PropertiesChanged`. A body that differs from the last one in nothing but the
/// value of one property, as notifications of a characteristic and sightings do, is not walked over again, and no
/// object is made for it.
package struct PropertiesChangedReader {
    private var latest: PropertiesChanged?
    private var latestLayout: PropertyLayout?
    private var layoutCount: UInt64 = 0

    /// A reader that has read nothing yet.
    package init() {}

    /// Reads a body; nil for a signal of another signature. Throws `.malformed` for a body that breaks D-Bus's rules.
    package mutating func read(_ frame: Frame) throws(DBusError) -> PropertiesChanged? {
        if let end = latestLayout?.valueEnd(in: frame), isKnownUniquelyReferenced(&latest), let latest {
            latest.become(frame, valueEnd: end)
            return latest
        }
        latest = nil
        latestLayout = nil
        latest = try PropertiesChanged(frame)
        latestLayout = latest?.layout
        if latestLayout != nil {
            layoutCount += 1
            latest?.layoutNumber = layoutCount
        }
        return latest
    }

    /// Releases the message that was read, after its receivers have had it.
    package mutating func letGo() { if isKnownUniquelyReferenced(&latest) { latest?.letGo() } else { latest = nil } }
}
#endif
