// SPDX-License-Identifier: MIT

/// Numbers of one kind that the Bluetooth SIG has assigned, with their names.
///
/// A table is constant text that lies in the program and is searched as it is: it costs nothing until it is used, and a
/// look-up allocates nothing but the name that it returns.
public struct AssignedNumberTable: Sendable {
    // Entries of four hexadecimal digits and a name, in the order of the numbers, a caret or a line's end between them.
    private let entries: StaticString
    // The same numbers in the order of their names, with one byte between them. The order is that of the names' bytes
    // with ASCII letters in lower case; equal names are in the order of their numbers.
    private let byName: StaticString

    init(entries: StaticString, byName: StaticString) {
        self.entries = entries
        self.byName = byName
    }

    /// Returns the name of a number; nil when it is not assigned.
    public func name(of number: UInt16) -> String? {
        entries.withUTF8Buffer { buffer in
            guard let name = unsafe EntryText.name(of: number, in: buffer.span) else { return nil }
            return unsafe String(decoding: UnsafeBufferPointer(rebasing: buffer[name]), as: UTF8.self)
        }
    }

    /// Returns the number with a name, in capitals or not; nil when there is none. Of several with one name it is the
    /// lowest.
    public func number(named name: String) -> UInt16? {
        let name = ContiguousArray(name.utf8)
        return entries.withUTF8Buffer { buffer in
            byName.withUTF8Buffer { order in
                unsafe EntryText.number(named: name.span, in: buffer.span, order: order.span)
            }
        }
    }

    /// The number of assigned numbers.
    public var count: Int { (byName.utf8CodeUnitCount + 1) / 5 }
}

extension AssignedNumberTable: Sequence {
    /// The numbers with their names, in the order of the numbers.
    public struct Iterator: IteratorProtocol {
        fileprivate let table: AssignedNumberTable
        fileprivate var offset = 0

        /// Returns the next number with its name.
        public mutating func next() -> (number: UInt16, name: String)? {
            table.entries.withUTF8Buffer { buffer in
                guard offset < buffer.count else { return nil }
                let entry = unsafe EntryText.entry(around: offset, in: buffer.span)
                let number = unsafe EntryText.number(buffer.span, at: entry.lowerBound)
                let name = unsafe UnsafeBufferPointer(rebasing: buffer[entry.dropFirst(4)])
                offset = entry.upperBound + 1
                return (number, unsafe String(decoding: name, as: UTF8.self))
            }
        }
    }

    /// Returns an iterator at the lowest number.
    public func makeIterator() -> Iterator { Iterator(table: self) }

    /// The same as ``count``.
    public var underestimatedCount: Int { count }
}

/// The search in a table's text.
private enum EntryText {
    /// The entry that an offset is in, or whose separator it is at.
    static func entry(around offset: Int, in text: Span<UInt8>) -> Range<Int> {
        var start = offset
        while start > 0, !isSeparator(text[start - 1]) { start -= 1 }
        var end = offset
        while end < text.count, !isSeparator(text[end]) { end += 1 }
        return start..<end
    }

    static func name(of number: UInt16, in text: Span<UInt8>) -> Range<Int>? {
        var (low, high) = (0, text.count)
        while low < high {
            let entry = entry(around: low + (high - low) / 2, in: text)
            let found = self.number(text, at: entry.lowerBound)
            if found == number { return entry.dropFirst(4) }
            if found < number { low = entry.upperBound + 1 } else { high = entry.lowerBound }
        }
        return nil
    }

    /// The first number in the order of names whose name is the one given.
    static func number(named name: Span<UInt8>, in text: Span<UInt8>, order: Span<UInt8>) -> UInt16? {
        var (low, high) = (0, (order.count + 1) / 5)
        let count = high
        while low < high {
            let middle = low + (high - low) / 2
            let found = self.name(of: number(order, at: 5 * middle), in: text) ?? 0..<0
            if compare(text, found, name) < 0 { low = middle + 1 } else { high = middle }
        }
        guard low < count else { return nil }
        let number = number(order, at: 5 * low)
        guard let found = self.name(of: number, in: text), compare(text, found, name) == 0 else { return nil }
        return number
    }

    /// Four hexadecimal digits in capitals.
    static func number(_ text: Span<UInt8>, at offset: Int) -> UInt16 {
        var number: UInt16 = 0
        for index in offset..<offset + 4 {
            let digit = text[index]
            number = number << 4 | UInt16(digit < 0x41 ? digit - 0x30 : digit - 0x37)
        }
        return number
    }

    /// Below zero when a part of a text comes before a name, zero when they are the same but for capitals.
    private static func compare(_ text: Span<UInt8>, _ part: Range<Int>, _ name: Span<UInt8>) -> Int {
        for index in 0..<min(part.count, name.count) {
            let (left, right) = (folded(text[part.lowerBound + index]), folded(name[index]))
            if left != right { return left < right ? -1 : 1 }
        }
        return part.count - name.count
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "^") || byte == UInt8(ascii: "\n") }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte + 0x20 : byte }
}
