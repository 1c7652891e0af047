// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapJSON
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// The JSON of rules by which a twin answers writes.
@Suite(.timeLimit(.minutes(60)))
struct TwinAnswerJSONTests {
    private static let twin = Twin(
        name: "Lock",
        services: [
            TwinService(
                "FFF0",
                characteristics: [
                    TwinCharacteristic(
                        "FFF1", properties: .write,
                        answers: [
                            TwinAnswer(
                                write: [1],
                                replies: [
                                    TwinReply("FFF2", after: .milliseconds(250), value: [2]),
                                    TwinReply("2A19", in: "180F", value: [3]), TwinReply(value: []),
                                ]),
                            TwinAnswer(write: [], replies: []),
                            TwinAnswer(write: nil, replies: [TwinReply(value: [9])]),
                        ]), TwinCharacteristic("FFF2", properties: .notify),
                ]), TwinService("180F", characteristics: [TwinCharacteristic("2A19", properties: .read)]),
        ])

    private func json(_ answers: String, properties: String = #""write""#, version: Int = 2) -> String {
        """
        {"schema": "bluecap-twin", "version": \(version), "services": [{"uuid": "FFF0", "characteristics": [
          {"uuid": "FFF1", "properties": [\(properties)], "answers": \(answers)},
          {"uuid": "FFF2", "properties": ["notify"]}]}, {"uuid": "1800", "characteristics": [{"uuid": "2A00"}]}]}
        """
    }

    @Test func `rules come back from the JSON, which has version 2 only where there are some`() throws {
        #expect(try Twin(json: Self.twin.json.utf8) == Self.twin)
        #expect(Self.twin.json.contains(#""version" : 2"#))
        #expect(TwinJSONTests.full.json.contains(#""version" : 1"#))
    }

    @Test func `a rule that somebody wrote by hand needs little`() throws {
        let twin = try Twin(
            json: json(##"[{"write": "0x01", "replies": [{"characteristic": "fff2", "value": "02"}]}]"##).utf8)
        let answers = [TwinAnswer(write: [1], replies: [TwinReply("FFF2", value: [2])])]
        #expect(twin.services[0].characteristics[0].answers == answers)
    }

    @Test(arguments: [
        (#"[{"write": "0"}]"#, "[0].replies", "missing"),
        (#"[{"write": "0", "replies": []}]"#, "[0].write", "hexadecimal"),
        (#"[{"write": "00", "replies": [{}]}]"#, "[0].replies[0].value", "missing"),
        (#"[{"write": "00", "replies": [{"value": "0g"}]}]"#, "[0].replies[0].value", "hexadecimal"),
        (#"[{"replies": [{"value": "", "after": -1}]}]"#, "[0].replies[0].after", "no time"),
        (#"[{"replies": [{"value": "", "characteristic": "x"}]}]"#, "[0].replies[0].characteristic", "no UUID"),
        (
            #"[{"replies": [{"value": "", "characteristic": "FFF3"}]}]"#, "[0].replies[0].characteristic",
            "the twin does not offer a characteristic FFF3"
        ),
        (
            #"[{"replies": [{"value": "", "characteristic": "2A00"}]}]"#, "[0].replies[0].characteristic",
            "does not offer"
        ),
        (
            #"[{"replies": [{"value": "", "characteristic": "FFF2", "service": "180F"}]}]"#,
            "[0].replies[0].characteristic", "a service 180F with the characteristic FFF2"
        ),
        (#"[{"replies": [{"value": "", "service": "FFF0"}]}]"#, "[0].replies[0].characteristic", "it is missing"),
        (#"[{"write": "01", "replies": []}, {"write": "01", "replies": []}]"#, "[1].write", "another rule is of '01'"),
        (#"[{"replies": []}, {"replies": []}]"#, "[1].write", "another rule is of every write"),
    ])
    func `a rule that cannot be is named with its place and the reason`(answers: String, path: String, reason: String) {
        let error = #expect(throws: TwinError.self) { try Twin(json: json(answers).utf8) }
        guard case .invalid(let found, let why)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == "services[0].characteristics[0].answers" + path && why.contains(reason), "\(found): \(why)")
    }

    @Test func `rules of a characteristic that nobody writes, and in version 1, are refused`() {
        let read = #expect(throws: TwinError.self) {
            try Twin(json: json(#"[{"replies": []}]"#, properties: #""read""#).utf8)
        }
        #expect(read?.description.contains("characteristics[0].answers: nothing is written here") == true)
        let old = #expect(throws: TwinError.self) { try Twin(json: json(#"[{"replies": []}]"#, version: 1).utf8) }
        #expect(
            old?.description.contains(#"answers: there are none in version 1: write "version": 2 (line 2, "#) == true)
        let many = repeatElement(#"{"replies":[]}"#, count: TwinLimits.answers + 1).joined(separator: ",")
        let error = #expect(throws: TwinError.self) { try Twin(json: json("[\(many)]").utf8) }
        #expect(error?.description.contains("more than \(TwinLimits.answers) elements") == true)
    }

    @Test func `rules that cannot be read again are left out within the limits, and counted`() throws {
        var twin = Self.twin
        let long = Bytes(repeating: 7, count: 600)
        twin.services[0].characteristics[0].answers += [
            TwinAnswer(write: [1], replies: []), TwinAnswer(write: [5], replies: [TwinReply("FFF9", value: [])]),
            TwinAnswer(write: long, replies: []),
            TwinAnswer(write: [6], replies: Array(repeating: TwinReply(value: []), count: TwinLimits.replies + 1)),
            TwinAnswer(write: [8], replies: [TwinReply(after: .seconds(-1), value: long)]),
        ]
        twin.services[0].characteristics[1].answers = [TwinAnswer(write: [1], replies: [])]
        let cut = twin.withinLimits()
        var expected = Self.twin
        expected.services[0].characteristics[0].answers.append(
            TwinAnswer(write: [8], replies: [TwinReply(value: Bytes(long.prefix(512)))]))
        #expect(cut == expected)
        #expect(try Twin(json: cut.json.utf8) == cut)
        #expect(twin.lost(in: cut) == "5 rules")
    }

    @Test func `a twin whose rules take up all limits has no more values than are read`() {
        // As many replies as fit into the room for content, and as many characteristics as there are handles for.
        let reply = #"{"characteristic":"","service":"","after":0,"value":""}"#
        let replies = repeatElement(reply, count: TwinLimits.contentByteCount / 220).joined(separator: ",")
        let properties = repeatElement(#""""#, count: 10).joined(separator: ",")
        let characteristic =
            #"{"uuid":"","handle":1,"properties":[\#(properties)],"value":"","readSecurity":"","writeSecurity":"","descriptors":[],"notifications":[],"answers":[{"write":"","replies":[]}]}"#
        let all = repeatElement(characteristic, count: TwinLimits.attributes / 3).joined(separator: ",")
        let text = #"{"a":[\#(replies)],"b":[\#(all)]}"#
        #expect(throws: Never.self) { try PlacedJSON(Array(text.utf8), within: TwinLimits.json) }
    }
}
