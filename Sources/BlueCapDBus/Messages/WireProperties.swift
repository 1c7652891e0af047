// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Properties of one interface, kept in the bytes in which they came off the bus: a value is decoded when it is asked
/// for.
///
/// A property takes the room of its bytes and its name, and no more, whatever it holds. Nothing is sorted or hashed: an
/// interface of BlueZ has a dozen properties, and to pass over one takes a few instructions.
package struct WireProperties: Sendable {
    /// Where a property stands.
    package struct Entry {
        fileprivate let start: Int
        fileprivate let head: Head

        fileprivate var name: Range<Int> { start + Head.size..<start + Head.size + head.nameLength }
        fileprivate var end: Int { start + head.length }
    }

    /// The beginning of an entry, where the wire has the length of the name.
    fileprivate struct Head {
        static let size = 4
        /// No name that D-Bus allows is longer.
        static let longestName = 255
        /// In bytes.
        static let longest = (1 << 24 - 1) * 8

        let word: UInt32

        init(word: UInt32) { self.word = word }

        init(nameLength: Int, length: Int) { word = UInt32(length / 8) << 8 | UInt32(nameLength) }

        var nameLength: Int { Int(word & 0xFF) }  // WIDTH: a byte.
        /// The length of the whole entry, in bytes.
        var length: Int { Int(word >> 8) * 8 }  // WIDTH: 24 bits.
    }

    /// Entries one behind another, each at a multiple of 8 as in a message: its head, its name with NUL, and the
    /// variant as it goes over the wire, in this machine's byte order.
    private var bytes: [UInt8] = []

    package init() {}

    /// Properties of these values. Throws `.invalidArgument` for a value that cannot be sent over a bus.
    package init(_ values: [String: DBusValue]) throws(DBusError) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try set(name, to: value) }
    }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The names, in the order of the properties.
    package var names: [String] {
        var names: [String] = []
        var next = next()
        while let entry = next {
            names.append(String(decoding: bytes[entry.name], as: UTF8.self))
            next = self.next(after: entry)
        }
        return names
    }

    // MARK: Looking

    /// The value of a property; nil where there is none of the name, and for one beyond this module's limits on depth
    /// and number of values.
    package subscript(name: String) -> DBusValue? { entry(named: name.utf8Span.span).flatMap(value) }

    package func has(_ name: String) -> Bool { entry(named: name.utf8Span.span) != nil }

    /// The property behind another, or the first; nil when there are no more.
    package func next(after entry: Entry? = nil) -> Entry? {
        let start = entry?.end ?? 0
        guard start < bytes.count else { return nil }
        return Entry(start: start, head: Head(word: bytes.span.number(at: start, isSwapped: false)))
    }

    /// The UTF-8 bytes of a property's name.
    package func name(of entry: Entry) -> ArraySlice<UInt8> { bytes[entry.name] }

    /// The value of a property; nil for one beyond this module's limits on depth and number of values.
    package func value(of entry: Entry) -> DBusValue? {
        // Behind the name's NUL.
        try? WireReader.variant(in: bytes, at: entry.name.upperBound + 1)
    }

    /// The UTF-8 bytes of a property that is a string; nil for any other.
    package func text(of name: String) -> ArraySlice<UInt8>? {
        guard let entry = entry(named: name.utf8Span.span) else { return nil }
        // Behind the name's NUL: the signature with its length before it and its NUL, and the text with its own.
        let signature = entry.name.upperBound + 1
        guard bytes[signature] == 1, bytes[signature + 1] == UInt8(ascii: "s") else { return nil }
        let length = (signature + 3 + 3) & ~3
        let start = length + 4
        return bytes[start..<start + bytes.span.length(at: length, isSwapped: false)]
    }

    private func entry(named name: Span<UInt8>) -> Entry? {
        let bytes = bytes.span
        var start = 0
        while start < bytes.count {
            let entry = Entry(start: start, head: Head(word: bytes.number(at: start, isSwapped: false)))
            if entry.head.nameLength == name.count, bytes.extracting(entry.name).isEqual(to: name) { return entry }
            start = entry.end
        }
        return nil
    }

    // MARK: Changing

    /// Gives a property a value, or removes it. Throws `.invalidArgument` for a value that cannot be sent over a bus.
    package mutating func set(_ name: String, to value: DBusValue?) throws(DBusError) {
        guard let value else { return remove(name) }
        var length = 0
        let properties = DBusValue.properties([name: value])
        try properties.validate(length: &length)
        guard name.utf8.count <= Head.longestName else { throw .invalidArgument("a name of \(name.utf8.count) bytes") }
        var writer = WireWriter()
        // Behind the array's length and its padding stands the entry alone.
        try writer.append(properties)
        take(writer.bytes.span.extracting(droppingFirst: 8), nameLength: name.utf8.count)
    }

    /// Takes a property away, if it is there.
    package mutating func remove(_ name: String) {
        guard let entry = entry(named: name.utf8Span.span) else { return }
        bytes.removeSubrange(entry.start..<entry.end)
    }

    /// Takes in properties, each of which replaces the one of its name.
    package mutating func take(_ others: WireProperties) {
        if bytes.isEmpty { return bytes = others.bytes }
        var next = others.next()
        while let entry = next {
            take(others.bytes.span.extracting(entry.start..<entry.end), nameLength: entry.head.nameLength)
            next = others.next(after: entry)
        }
    }

    /// The properties of some names.
    package func filter(_ isIncluded: (String) -> Bool) -> WireProperties {
        var filtered = self
        for name in names where !isIncluded(name) { filtered.remove(name) }
        return filtered
    }

    /// Takes in a property as it goes over the wire in this machine's byte order, from the length of its name to the
    /// end of its value. It replaces a property of the same name. A property that is too long to be kept is passed
    /// over.
    mutating func take(_ wire: Span<UInt8>, nameLength: Int) {
        let length = (wire.count + 7) & ~7
        guard nameLength <= Head.longestName, length <= Head.longest else { return }
        let old = entry(named: wire.extracting(Head.size..<Head.size + nameLength))
        var start = bytes.count
        if let old, old.head.length == length {
            start = old.start
        } else {
            if let old {
                bytes.removeSubrange(old.start..<old.end)
                start = bytes.count
            }
            // As much as there is, where an array that grows by itself would take twice that.
            bytes.reserveCapacity(start + length)
            bytes.append(contentsOf: repeatElement(0, count: length))
        }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + length])
            unsafe wire.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
            for padding in wire.count..<length { unsafe place[padding] = 0 }
        }
        bytes.put(Head(nameLength: nameLength, length: length).word, at: start)
    }

    /// Removes all properties and keeps their room.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// The same properties in the least room, except for one number that may come with the first change.
    var compact: WireProperties {
        var compact = WireProperties()
        compact.bytes.reserveCapacity(bytes.count + Self.roomForNumber)
        compact.bytes.append(contentsOf: bytes)
        return compact
    }

    private static let roomForNumber = 16
}

extension WireProperties: Equatable {
    /// Whether both have the same properties, in any order.
    package static func == (left: Self, right: Self) -> Bool {
        if left.bytes == right.bytes { return true }
        let (set, invalidated) = left.changes(since: right)
        return set.isEmpty && invalidated.isEmpty
    }

    /// The properties that are new or have another value than in `old`, and the names of the removed ones.
    package func changes(since old: WireProperties) -> (set: WireProperties, invalidated: [String]) {
        var set = WireProperties()
        var next = next()
        while let entry = next {
            if !old.has(entry, of: self) {
                set.take(bytes.span.extracting(entry.start..<entry.end), nameLength: entry.head.nameLength)
            }
            next = self.next(after: entry)
        }
        return (set, old.names.filter { !has($0) }.sorted())
    }

    /// Whether there is a property of the same name and value as one of other properties.
    private func has(_ entry: Entry, of other: WireProperties) -> Bool {
        guard let own = self.entry(named: other.bytes.span.extracting(entry.name)) else { return false }
        if bytes.span.extracting(own.start..<own.end).isEqual(to: other.bytes.span.extracting(entry.start..<entry.end))
        {
            return true
        }
        // Entries of a dictionary may stand in another order.
        return value(of: own) == other.value(of: entry)
    }
}
#endif
