// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapBeacon

@Suite("Bounds of files of sensor formats", .timeLimit(.minutes(60)))
struct SensorFormatBoundsTests {
    private static func file(_ formats: [String]) -> String {
        #"{"schema": "bluecap-sensors", "version": 1, "formats": [\#n\#(formats.joined(separator: ",\n"))]}"#
    }

    private static func format(_ name: Int, _ keys: String) -> String {
        #"{"name": "\#(name)", \#(keys), "fields": [{"kind": "temperature", "at": 1, "type": "int16"}]}"#
    }

    private static func list(_ count: Int, _ text: (Int) -> String) -> String {
        "[\((0..<count).map { "\"\(text($0))\"" }.joined(separator: ", "))]"
    }

    private func mistakes(_ text: String) -> [SensorFormatError.Mistake] {
        do throws(SensorFormatError) {
            _ = try SensorFormats(json: text.utf8)
            return []
        } catch { return error.mistakes }
    }

    /// Formats of which none overlaps with another, which only the last comparison shows, as many as are read.
    private static let widest: [String] = {
        func digits(_ number: Int) -> String { String(repeating: "0", count: 4 - "\(number)".count) + "\(number)" }
        return (0..<31).map { format in
            let prefixes = list(32) { String(repeating: "AB", count: 30) + digits(32 * format + $0) }
            return Self.format(format, #""company": "FFFF", "length": 40, "prefix": \#(prefixes)"#)
        }
    }()

    @Test func `the widest file takes no more comparisons than its bound squared allows`() throws {
        let formats = try Self.widest.flatMap { try SensorFormats(json: Self.file([$0]).utf8).all }
        let overlap = SensorFormatOverlap(of: formats)
        // 31 formats with 32 patterns of 32 bytes, and one source.
        let pairs = 31 * 30 / 2
        #expect(overlap.comparisons == pairs * (32 * 32 * SensorFormatReader.maximumPatternLength + 1))
        let most = SensorFormatReader.maximumChoicesOfAll
        #expect(overlap.comparisons <= most * most / 2 * SensorFormatReader.maximumPatternLength)
        #expect(overlap.earlier == Array(repeating: nil, count: 31))
    }

    @Test func `a file with more names, sources and patterns is refused with the line of a format`() {
        let name = Self.list(32) { "Sensor \($0)" }
        // Its 34 choices are one more than the file may have.
        let more = Self.format(31, #""company": "FFFE", "length": 40, "names": \#(name), "prefix": "00""#)
        #expect(
            mistakes(Self.file(Self.widest + [more])).map { "\($0.line ?? 0):\($0.column ?? 0): \($0.text)" } == [
                "33:1: the formats up to this one have 1057 identifiers, 'names' and choices of 'prefix', and at most "
                    + "1024 are read: divide the file"
            ])
    }

    @Test func `a prefix that is longer than any is needed is refused with its line`() {
        let long = String(repeating: "AB", count: SensorFormatReader.maximumPatternLength + 1)
        let format = Self.format(1, "\n\"company\": \"FFFF\", \"length\": 40, \n\"prefix\": \"\(long)\"")
        let found = mistakes(Self.file([format]))
        #expect(found.map(\.text) == ["'prefix' has 33 bytes, and at most 32 are read"])
        #expect(found.map(\.line) == [4])
    }

    @Test func `10,000 formats in a file are refused by their number, whatever they are`() {
        for format in ["{}", "7", #"{"name": "A"}"#] {
            let found = mistakes(Self.file(Array(repeating: format, count: 10_000)))
            #expect(found.map(\.text) == ["'formats' has 10000 values, and at most 256 are read"])
        }
    }
}
