// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapDBus

/// The name of a property that BlueZ documents, and the type of its value.
package struct PropertyKey<Value>: Sendable {
    /// The name on the bus.
    package let name: String
    private let read: @Sendable (DBusValue) -> Value?

    /// A key; `read` is nil for a value of another type, which is passed over.
    package init(_ name: String, _ read: @escaping @Sendable (DBusValue) -> Value?) {
        self.name = name
        self.read = read
    }

    package func callAsFunction(_ value: DBusValue?) -> Value? { value.flatMap(read) }

    /// Whether UTF-8 bytes are the name.
    package func isNamed(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.span.isEqual(to: name.utf8Span.span) }

    package static func ~= (key: Self, name: String) -> Bool { key.name == name }
}

extension WireProperties {
    /// The value of a property; nil where it is absent or of another type than BlueZ documents.
    package subscript<Property>(key: PropertyKey<Property>) -> Property? { key(self[key.name]) }

    /// Whether a property is there, whatever its value.
    package func has<Property>(_ key: PropertyKey<Property>) -> Bool { has(key.name) }
}

extension [String: DBusValue] {
    /// The value of a property; nil where it is absent or of another type than BlueZ documents.
    package subscript<Property>(key: PropertyKey<Property>) -> Property? { key(self[key.name]) }
}

extension PropertyKey<String> {
    init(string name: String) { self.init(name) { $0.stringValue } }
}

extension PropertyKey<Bool> {
    init(bool name: String) { self.init(name) { $0.boolValue } }
}

extension PropertyKey<[String]> {
    init(strings name: String) { self.init(name) { $0.stringsValue } }
}

extension PropertyKey<[UInt8]> {
    init(bytes name: String) { self.init(name) { $0.bytesValue } }
}

extension PropertyKey<[DBusDictionary.Entry]> {
    init(entries name: String) { self.init(name) { $0.entriesValue } }
}
#endif
