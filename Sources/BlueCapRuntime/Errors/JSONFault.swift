// SPDX-License-Identifier: MIT

/// The first place at which a text is not JSON (RFC 8259), for the person who wrote it.
package struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    package let line: Int
    /// The character of the line, counted from 1.
    package let column: Int
    /// The description of the fault, without the place.
    package let reason: String
    /// Whether the text is JSON up to there, and only not allowed.
    package let isExcess: Bool

    /// The place and the fault, as in `line 4, column 41: ',' or '}' is expected, not '"'`.
    package var description: String { "line \(line), column \(column): \(reason)" }

    /// Nil where the text is JSON, and within the limits.
    ///
    /// - Parameters:
    ///   - text: The bytes that should be JSON.
    ///   - limits: How much there may be; without them as much as Foundation's decoder takes.
    ///   - refusesDoubleKeys: Whether an object may have a key only once. A decoder takes either of the values.
    package init?(
        in text: [UInt8], within limits: JSONLimits = JSONLimits(values: .max, depth: 512),
        refusesDoubleKeys: Bool = false
    ) {
        var scanner = JSONScanner(text, limits, refusesDoubleKeys: refusesDoubleKeys)
        do throws(JSONScanner.Problem) {
            try scanner.scan()
            return nil
        } catch {
            let before = text[..<error.index]
            // A byte order mark is no character of the first line.
            let first = text.starts(with: JSONScanner.mark) ? JSONScanner.mark.count : 0
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? first
            line = scanner.line(of: error.index)
            // A continuation byte of UTF-8 is no character of its own.
            column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
            reason = error.reason
            isExcess = error.isExcess
        }
    }
}

/// Reads over JSON up to its end, or to its first fault.
private struct JSONScanner {
    struct Problem: Error {
        var index: Int
        var reason: String
        var isExcess = false
    }

    /// The byte order mark of UTF-8, which may stand before the value.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private let refusesDoubleKeys: Bool
    private var index = 0
    private var count = 0

    init(_ bytes: [UInt8], _ limits: JSONLimits, refusesDoubleKeys: Bool) {
        self.bytes = bytes
        self.limits = limits
        self.refusesDoubleKeys = refusesDoubleKeys
    }

    /// The line of a byte, counted from 1.
    func line(of index: Int) -> Int { 1 + bytes[..<index].count { $0 == UInt8(ascii: "\n") } }

    mutating func scan() throws(Problem) {
        if bytes.starts(with: Self.mark) { index = Self.mark.count }
        try value(depth: 0)
        skipSpace()
        if next != nil { throw unexpected("the end") }
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Goes over a character, if it is next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value(depth: Int) throws(Problem) {
        skipSpace()
        guard let byte = next else { throw unexpected("a value") }
        if depth >= limits.depth, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            throw Problem(index: index, reason: "values are too deep in each other", isExcess: true)
        }
        if count >= limits.values {
            throw Problem(index: index, reason: "there are more than \(limits.values) values", isExcess: true)
        }
        count += 1
        switch Unicode.Scalar(byte) {
        case "{": try object(depth: depth)
        case "[": try list(depth: depth)
        case "\"": try text()
        case "-", "0"..."9": try number()
        case "a"..."z", "A"..."Z": try word()
        default: throw unexpected("a value")
        }
    }

    private mutating func object(depth: Int) throws(Problem) {
        index += 1
        skipSpace()
        if take("}") { return }
        var starts: [String: Int] = [:]
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
            let start = index
            try text()
            if refusesDoubleKeys {
                let key = Self.text(bytes[start + 1..<index - 1])
                if let first = starts.updateValue(start, forKey: key) {
                    throw Problem(
                        index: start,
                        reason: "'\(key.prefix(64))' stands in line \(line(of: first)) already: remove one of both",
                        isExcess: true)
                }
            }
            skipSpace()
            guard take(":") else { throw unexpected("':'") }
            try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw unexpected("',' or '}'") }
    }

    private mutating func list(depth: Int) throws(Problem) {
        index += 1
        skipSpace()
        if take("]") { return }
        repeat {
            try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("]") else { throw unexpected("',' or ']'") }
    }

    private mutating func text() throws(Problem) {
        let start = index
        index += 1
        while let byte = next {
            if take("\"") { return }
            if byte < 0x20 {
                let isBreak = byte == 0x0A || byte == 0x0D
                throw Problem(
                    index: isBreak ? start : index,
                    reason: isBreak ? "this text is not closed in its line" : "a control character stands in a text")
            }
            if take("\\") { try escape() } else if byte < 0x80 { index += 1 } else { try character() }
        }
        throw Problem(index: start, reason: "this text is not closed")
    }

    /// The text between quotes that were gone over, as a decoder has it.
    private static func text(_ quoted: ArraySlice<UInt8>) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else { return String(decoding: quoted, as: UTF8.self) }
        var units: [UInt16] = []
        var rest = String(decoding: quoted, as: UTF8.self).utf16[...]
        while let unit = rest.popFirst() {
            guard unit == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                units.append(unit)
                continue
            }
            switch Unicode.Scalar(escape) {
            case "u":
                units.append(UInt16(String(decoding: rest.prefix(4).map { $0 }, as: UTF16.self), radix: 16) ?? 0)
                rest = rest.dropFirst(4)
            case "b": units.append(8)
            case "f": units.append(12)
            case "n": units.append(10)
            case "r": units.append(13)
            case "t": units.append(9)
            default: units.append(escape)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Goes over a character of more than one byte.
    private mutating func character() throws(Problem) {
        var rest = bytes[index...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let character) = parser.parseScalar(from: &rest) else {
            throw Problem(index: index, reason: "a character is not in UTF-8, the encoding of JSON")
        }
        index += character.count
    }

    private mutating func escape() throws(Problem) {
        // The backslash has been gone over.
        let start = index - 1
        if take("u") {
            let unit = try hexadecimal()
            guard unit & 0xF800 == 0xD800 else { return }
            // One half of a character, which the other half follows.
            guard unit < 0xDC00, take("\\"), take("u"), try hexadecimal() & 0xFC00 == 0xDC00 else {
                throw Problem(index: start, reason: "this is one half of a character without the other")
            }
            return
        }
        for character in "\"\\/bfnrt".unicodeScalars where take(character) { return }
        throw unexpected("a character that can follow '\\'")
    }

    /// Goes over the four digits of an escape.
    private mutating func hexadecimal() throws(Problem) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("a hexadecimal digit")
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    private mutating func number() throws(Problem) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Problem) {
        let start = index
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { index += 1 }
        if index == start { throw unexpected("a digit") }
    }

    /// One of the three words that stand without quotes.
    private mutating func word() throws(Problem) {
        let start = index
        while let byte = next, Character(Unicode.Scalar(byte)).isLetter, byte < 0x80 { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        if ["true", "false", "null"].contains(word) { return }
        throw Problem(index: start, reason: "'\(word.prefix(32))' is no value: texts stand in quotes")
    }

    private func unexpected(_ expected: String) -> Problem {
        guard let byte = next else {
            return Problem(index: index, reason: "\(expected) is expected, and the text ends")
        }
        let rest = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        let found = byte < 0x20 || byte == 0x7F ? "a control character" : "'\(rest.prefix(1))'"
        return Problem(index: index, reason: "\(expected) is expected, not \(found)")
    }
}
