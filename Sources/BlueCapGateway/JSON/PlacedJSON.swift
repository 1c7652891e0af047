// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Foundation

/// A value of JSON, with the line in which it begins.
struct PlacedJSON {
    /// A member of an object; an object may have several with one key.
    struct Member {
        var key: String
        /// The line of the key.
        var line: Int
        var value: PlacedJSON
    }

    enum Content {
        case object([Member])
        case list([PlacedJSON])
        case text(String)
        case number(Double)
        case truth(Bool)
        case null
    }

    let content: Content
    /// Counted from 1.
    let line: Int

    /// - Throws: The place at which the bytes are not JSON, or more of it than is allowed.
    init(_ bytes: [UInt8], within limits: JSONLimits) throws(JSONFault) {
        if let fault = JSONFault(in: bytes, within: limits) { throw fault }
        var reader = PlacedJSONReader(bytes)
        self = reader.value()
    }

    fileprivate init(_ content: Content, line: Int) { (self.content, self.line) = (content, line) }
}

/// Reads bytes that are known to be JSON.
private struct PlacedJSONReader {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func value() -> PlacedJSON {
        skipSpace()
        let begun = line
        let content: PlacedJSON.Content =
            switch next.map({ Unicode.Scalar($0) }) {
            case "{": .object(members())
            case "[": .list(values())
            case "\"": .text(text())
            case "t", "f", "n": word()
            default: .number(number())
            }
        return PlacedJSON(content, line: begun)
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            if byte == 0x0A { line += 1 }
            index += 1
        }
    }

    private mutating func members() -> [PlacedJSON.Member] {
        var members: [PlacedJSON.Member] = []
        index += 1
        if take("}") { return members }
        repeat {
            skipSpace()
            let begun = line
            let key = text()
            _ = take(":")
            members.append(PlacedJSON.Member(key: key, line: begun, value: value()))
        } while take(",")
        _ = take("}")
        return members
    }

    private mutating func values() -> [PlacedJSON] {
        var values: [PlacedJSON] = []
        index += 1
        if take("]") { return values }
        repeat { values.append(value()) } while take(",")
        _ = take("]")
        return values
    }

    private mutating func text() -> String {
        let start = index
        index += 1
        var isEscaped = false
        while let byte = next, byte != UInt8(ascii: "\"") {
            isEscaped = isEscaped || byte == UInt8(ascii: "\\")
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
        let quoted = bytes[start..<index]
        if !isEscaped { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
        return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? ""
    }

    private mutating func word() -> PlacedJSON.Content {
        let start = index
        while let byte = next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte { index += 1 }
        return switch bytes[start..<index] {
        case ArraySlice("true".utf8): .truth(true)
        case ArraySlice("false".utf8): .truth(false)
        default: .null
        }
    }

    private mutating func number() -> Double {
        let start = index
        while let byte = next, "+-.0123456789Ee".utf8.contains(byte) { index += 1 }
        return Double(String(decoding: bytes[start..<index], as: UTF8.self)) ?? .nan
    }
}
