// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The interfaces, and the properties of each, that are taken from an answer to `GetManagedObjects`. What is not among them is
/// walked over where it stands, and no value is made of it.
package struct ObjectSelection: Sendable {
    /// Properties of an interface by their names.
    package typealias Properties = [String: DBusValue]

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

    private static let signature = Array("a{oa{sa{sv}}}".utf8)

    private let interfaces: [Interface]

    /// Selects properties by the names of their interfaces.
    package init(_ properties: [String: [String]]) {
        interfaces = properties.map { Interface(name: Name($0.key), properties: $0.value.map { Name($0) }) }
    }

    /// What an answer has of this selection: by the path of the object, the name of the interface and that of the property.
    ///
    /// Throws `.unexpectedSignature` for another answer, and `.malformed` beyond this module's limits on depth and number of
    /// values.
    package func objects(in answer: Message) throws(DBusError) -> [String: [String: Properties]] {
        let frame = answer.frame
        guard frame.has(.signature, Self.signature) else {
            throw .unexpectedSignature(
                expected: String(decoding: Self.signature, as: UTF8.self), found: answer.signature)
        }
        var reading = Reading(frame: frame)
        return try reading.objects(of: self)
    }

    /// A walk over one answer, whose body was checked.
    private struct Reading {
        let frame: Frame
        /// How many values were decoded.
        var values = 0

        mutating func objects(of selection: ObjectSelection) throws(DBusError) -> [String: [String: Properties]] {
            let frame = frame
            let bytes = frame.bytes.span.extracting(frame.place)
            let body = WireChecker(
                isSwapped: frame.header.isSwapped, position: frame.header.bodyStart, end: bytes.count)
            var walk = try body.elements(alignment: 8, in: bytes)
            var objects: [String: [String: Properties]] = [:]
            while walk.position < walk.end {
                try walk.align(8, in: bytes)
                let path = try walk.text(in: bytes)
                var interfaces = try walk.elements(alignment: 8, in: bytes)
                walk.position = interfaces.end
                let found = try self.interfaces(of: selection, &interfaces)
                guard !found.isEmpty else { continue }
                try count()
                objects[String(decoding: frame.slice(path), as: UTF8.self)] = found
            }
            return objects
        }

        private mutating func interfaces(
            of selection: ObjectSelection, _ walk: inout WireChecker
        ) throws(DBusError) -> [String: Properties] {
            let frame = frame
            let bytes = frame.bytes.span.extracting(frame.place)
            var found: [String: Properties] = [:]
            while walk.position < walk.end {
                try walk.align(8, in: bytes)
                let name = bytes.extracting(try walk.text(in: bytes))
                var properties = try walk.elements(alignment: 8, in: bytes)
                walk.position = properties.end
                guard let interface = selection.interfaces.first(where: { name.isEqual(to: $0.name.bytes.span) }) else {
                    continue
                }
                try count()
                found[interface.name.text] = try self.properties(of: interface, &properties)
            }
            return found
        }

        private mutating func properties(
            of interface: Interface, _ walk: inout WireChecker
        ) throws(DBusError) -> Properties {
            let frame = frame
            let bytes = frame.bytes.span.extracting(frame.place)
            // Seldom are all of many there.
            var found = Properties(minimumCapacity: min(interface.properties.count, 12))
            while walk.position < walk.end {
                try walk.align(8, in: bytes)
                let name = bytes.extracting(try walk.text(in: bytes))
                if let wanted = interface.properties.first(where: { name.isEqual(to: $0.bytes.span) }) {
                    try count()
                    found[wanted.text] = try WireReader.variant(of: frame, at: &walk.position, values: &values)
                } else {
                    // In an entry, in a dictionary, each twice, and in two more of the objects.
                    try walk.variant(in: bytes, depth: 7)
                }
            }
            return found
        }

        private mutating func count() throws(DBusError) {
            values += 1
            guard values <= WireReader.maximumValues else { throw .malformed("too many values") }
        }
    }
}
#endif
