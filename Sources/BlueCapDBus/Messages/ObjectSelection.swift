// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The interfaces, and the properties of each, that are taken from a peer's objects. Other parts are walked over in
/// place; selected ones are copied as they stand.
package struct ObjectSelection: Sendable {
    /// An object with its selected interfaces and properties.
    package struct Object: Sendable {
        package let path: String
        /// In the order of the message; an interface may come twice.
        package let interfaces: [(name: String, properties: WireProperties)]
    }

    private struct Name: Sendable {
        let text: String
        let bytes: [UInt8]

        init(_ text: String) {
            self.text = text
            bytes = Array(text.utf8)
        }
    }

    private struct Interface: Sendable {
        let name: Name
        let properties: [Name]
    }

    private static let managedObjects = Array("a{oa{sa{sv}}}".utf8)
    private static let interfacesAdded = Array("oa{sa{sv}}".utf8)

    private let interfaces: [Interface]
    private let limit: Int

    /// Selects properties by the names of their interfaces.
    ///
    /// - Parameters:
    ///   - properties: The names of the properties by those of their interfaces.
    ///   - limit: More objects, interfaces and properties together than this are refused in one message.
    package init(_ properties: [String: [String]], limit: Int = WireReader.maximumValues) {
        self.limit = limit
        interfaces = properties.map { Interface(name: Name($0.key), properties: $0.value.map { Name($0) }) }
    }

    /// The selected part of an answer to `GetManagedObjects`, in its order; an object may come twice.
    ///
    /// Throws `.unexpectedSignature` for another answer, and `.malformed` for one that has more than the limit.
    package func objects(in answer: Message) throws(DBusError) -> [Object] {
        var reading = try Reading(answer, Self.managedObjects, limit: limit)
        return try reading.objects(of: self)
    }

    /// The selected part of a signal `InterfacesAdded`; throws as `objects(in:)`.
    package func object(addedBy signal: Message) throws(DBusError) -> Object {
        var reading = try Reading(signal, Self.interfacesAdded, limit: limit)
        return try reading.object(of: self)
    }

    /// The selected part of a signal `PropertiesChanged`: the name of the interface and the properties that have new
    /// values; nil for an interface that is not selected.
    package func properties(in change: PropertiesChanged) -> (interface: String, properties: WireProperties)? {
        guard let interface = interface(change.interface.span) else { return nil }
        var properties = WireProperties()
        var next = change.next()
        while let property = next {
            if interface.properties.contains(where: { $0.bytes.span.isEqual(to: change.name(of: property).span) }) {
                change.copy(property, into: &properties)
            }
            next = change.next(after: property)
        }
        return (interface.name.text, properties)
    }

    private func interface(_ name: Span<UInt8>) -> Interface? {
        for interface in interfaces where name.isEqual(to: interface.name.bytes.span) { return interface }
        return nil
    }

    /// A walk over one message, whose body was checked.
    private struct Reading {
        let frame: Frame
        var body: WireChecker
        let limit: Int
        /// How many objects, interfaces and properties there were.
        var count = 0
        /// Where the properties of an interface are put together.
        var found = WireProperties()

        init(_ message: Message, _ signature: [UInt8], limit: Int) throws(DBusError) {
            self.limit = limit
            frame = message.frame
            guard frame.has(.signature, signature) else {
                throw .unexpectedSignature(
                    expected: String(decoding: signature, as: UTF8.self), found: message.signature)
            }
            body = WireChecker(
                isSwapped: frame.header.isSwapped, position: frame.header.bodyStart, end: frame.place.count)
        }

        mutating func objects(of selection: ObjectSelection) throws(DBusError) -> [Object] {
            let frame = frame
            let bytes = frame.bytes.span.extracting(frame.place)
            body = try body.elements(alignment: 8, in: bytes)
            var objects: [Object] = []
            while body.position < body.end {
                try body.align(8, in: bytes)
                let object = try object(of: selection)
                if !object.interfaces.isEmpty { objects.append(object) }
            }
            return objects
        }

        mutating func object(of selection: ObjectSelection) throws(DBusError) -> Object {
            let frame = frame
            let bytes = frame.bytes.span.extracting(frame.place)
            let path = try body.text(in: bytes)
            var walk = try body.elements(alignment: 8, in: bytes)
            body.position = walk.end
            try countValue()
            var interfaces: [(name: String, properties: WireProperties)] = []
            while walk.position < walk.end {
                try walk.align(8, in: bytes)
                let name = try walk.text(in: bytes)
                var properties = try walk.elements(alignment: 8, in: bytes)
                walk.position = properties.end
                guard let interface = selection.interface(bytes.extracting(name)) else { continue }
                try countValue()
                interfaces.append((interface.name.text, try self.properties(of: interface, &properties)))
            }
            return Object(path: String(decoding: frame.slice(path), as: UTF8.self), interfaces: interfaces)
        }

        private mutating func properties(
            of interface: Interface, _ walk: inout WireChecker
        ) throws(DBusError) -> WireProperties {
            let frame = frame
            let bytes = frame.bytes.span.extracting(frame.place)
            found.removeAll()
            while walk.position < walk.end {
                try walk.align(8, in: bytes)
                let start = walk.position
                let name = try walk.text(in: bytes)
                let value = walk.position
                // In an entry, in a dictionary, each twice, and in two more of the objects.
                try walk.variant(in: bytes, depth: 7)
                let isSelected = Self.has(interface.properties, bytes.extracting(name))
                guard isSelected else { continue }
                try countValue()
                if frame.header.isSwapped {
                    // Stored values are in this machine's byte order.
                    var position = value
                    var values = 0
                    let value = try WireReader.variant(of: frame, at: &position, values: &values)
                    try found.set(String(decoding: frame.slice(name), as: UTF8.self), to: value)
                } else {
                    found.take(bytes.extracting(start..<walk.position), nameLength: name.count)
                }
            }
            return found.compact
        }

        private static func has(_ names: [Name], _ bytes: Span<UInt8>) -> Bool {
            for name in names where bytes.isEqual(to: name.bytes.span) { return true }
            return false
        }

        private mutating func countValue() throws(DBusError) {
            count += 1
            guard count <= limit else { throw .malformed("too many values") }
        }
    }
}
#endif
