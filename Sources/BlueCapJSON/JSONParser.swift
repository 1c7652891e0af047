// SPDX-License-Identifier: MIT

/// Reads JSON up to its end, or to its first fault, in one pass.
struct JSONParser {
    /// The byte order mark of UTF-8, which may stand before the value.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// From how many members on an object has a table of its keys.
    private static let fewMembers = 8

    let bytes: [UInt8]
    var index = 0
    private let limits: JSONLimits
    private let allowsDoubleKeys: Bool
    private var count = 0
    private var line = 1
    /// The first byte of the line.
    private var lineStart = 0
    /// How many bytes of the line are no characters of their own.
    private var continuations = 0

    init(_ bytes: [UInt8], _ limits: JSONLimits, allowsDoubleKeys: Bool) {
        (self.bytes, self.limits, self.allowsDoubleKeys) = (bytes, limits, allowsDoubleKeys)
        // It is no character of the first line.
        if bytes.starts(with: Self.mark) { (index, lineStart) = (Self.mark.count, Self.mark.count) }
    }

    mutating func parse() throws(JSONFault) -> PlacedJSON {
        let value = try value(depth: 0)
        skipSpace()
        if next != nil { throw unexpected("the end") }
        return value
    }

    /// The place of the next byte.
    var place: JSONPlace { JSONPlace(line: line, column: 1 + index - lineStart - continuations) }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Goes over a character, if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Goes over a character of more than one byte.
    mutating func takeCharacter() throws(JSONFault) {
        var rest = bytes[index...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let character) = parser.parseScalar(from: &rest) else {
            throw JSONFault(place, "a character is not in UTF-8, the encoding of JSON")
        }
        index += character.count
        continuations += character.count - 1
    }

    func unexpected(_ expected: String) -> JSONFault {
        guard let byte = next else { return JSONFault(place, "\(expected) is expected, and the text ends") }
        let rest = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        let found = byte < 0x20 || byte == 0x7F ? "a control character" : "'\(rest.prefix(1))'"
        return JSONFault(place, "\(expected) is expected, not \(found)")
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
            if byte == 0x0A { (line, lineStart, continuations) = (line + 1, index, 0) }
        }
    }

    private mutating func value(depth: Int) throws(JSONFault) -> PlacedJSON {
        skipSpace()
        guard let byte = next else { throw unexpected("a value") }
        let place = place
        if depth >= limits.depth, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            throw JSONFault(place, "values are too deep in each other", isExcess: true)
        }
        if count >= limits.values {
            throw JSONFault(place, "there are more than \(limits.values) values", isExcess: true)
        }
        count += 1
        let content: PlacedJSON.Content
        switch Unicode.Scalar(byte) {
        case "{": content = .object(try members(depth: depth))
        case "[": content = .list(try values(depth: depth))
        case "\"": content = .text(try text())
        case "-", "0"..."9": content = .number(try number())
        case "a"..."z", "A"..."Z": content = try word()
        default: throw unexpected("a value")
        }
        return PlacedJSON(content, place)
    }

    private mutating func members(depth: Int) throws(JSONFault) -> [PlacedJSON.Member] {
        var members: [PlacedJSON.Member] = []
        /// The first lines of the keys, of an object with many.
        var lines: [String: Int] = [:]
        index += 1
        skipSpace()
        if take("}") { return members }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
            let place = place
            let key = try text()
            if !allowsDoubleKeys, let first = Self.line(of: key, at: place, in: members, &lines) {
                throw JSONFault(
                    place, "'\(key.prefix(64))' stands in line \(first) already: remove one of both", isExcess: true)
            }
            skipSpace()
            guard take(":") else { throw unexpected("':'") }
            members.append(PlacedJSON.Member(key: key, place: place, value: try value(depth: depth + 1)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw unexpected("',' or '}'") }
        return members
    }

    /// The line in which an object has a key already; nil where it has not.
    private static func line(
        of key: String, at place: JSONPlace, in members: [PlacedJSON.Member], _ lines: inout [String: Int]
    ) -> Int? {
        if members.count < fewMembers { return members.first { $0.key == key }?.place.line }
        if lines.isEmpty { for member in members { lines[member.key] = member.place.line } }
        return lines.updateValue(place.line, forKey: key)
    }

    private mutating func values(depth: Int) throws(JSONFault) -> [PlacedJSON] {
        var values: [PlacedJSON] = []
        index += 1
        skipSpace()
        if take("]") { return values }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw unexpected("',' or ']'") }
        return values
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(JSONFault) {
        let start = index
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { index += 1 }
        if index == start { throw unexpected("a digit") }
    }

    /// One of the three words that stand without quotes.
    private mutating func word() throws(JSONFault) -> PlacedJSON.Content {
        let (start, place) = (index, place)
        while let byte = next, byte < 0x80, Character(Unicode.Scalar(byte)).isLetter { index += 1 }
        switch String(decoding: bytes[start..<index], as: UTF8.self) {
        case "true": return .truth(true)
        case "false": return .truth(false)
        case "null": return .null
        case let word: throw JSONFault(place, "'\(word.prefix(32))' is no value: texts stand in quotes")
        }
    }
}
