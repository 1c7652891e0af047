// SPDX-License-Identifier: MIT

import Testing
import WireRadio

@Suite("Lines", .timeLimit(.minutes(60)))
struct LineReaderTests {
    private static let lines = Array(#"{"silence":{}}"#.utf8) + [10] + Array(#"{"connect":{"link":7}}"#.utf8) + [10]

    @Test(arguments: 1...lines.count)
    func `are put together from pieces of any length`(length: Int) throws {
        var reader = LineReader()
        var messages: [Message] = []
        for start in stride(from: 0, to: Self.lines.count, by: length) {
            messages += try reader.messages(adding: Array(Self.lines[start...].prefix(length)))
        }
        #expect(messages == [.silence, .connect(link: 7)])
    }

    @Test(arguments: ["", "x", "{}", #"{"connect":{}}"#, #"{"connect":{"link":-1}}"#, #"{"shout":{}}"#, "\u{0}"])
    func `that are no message are an error`(line: String) {
        var reader = LineReader()
        #expect(throws: DecodingError.self) { try reader.messages(adding: Array(line.utf8) + [10]) }
    }

    @Test func `that do not end are an error`() throws {
        var reader = LineReader()
        let piece = [UInt8](repeating: 32, count: LineReader.maximumLineLength)
        #expect(try reader.messages(adding: piece).isEmpty)
        #expect(throws: LineReader.LineTooLong.self) { try reader.messages(adding: [32]) }
    }
}
