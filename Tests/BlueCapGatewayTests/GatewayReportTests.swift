// SPDX-License-Identifier: MIT

#if Gateway
import BlueCap
import BlueCapGateway
import Testing

@testable import BlueCapCommand

@Suite("The events of a gateway, printed", .timeLimit(.minutes(60)))
struct GatewayReportTests {
    private static let date = "2026-11-29T23:00:00.000Z"
    private static let device = PeerIdentifier("A4:C1:38:00:00:01")

    private static func report(_ event: GatewayEvent) throws -> GatewayReport {
        GatewayReport(
            event, broker: try BrokerAddress(text: "mqtts://broker.lan"), maximumDevices: 512, date: date)
    }

    @Test(
        arguments: [
            (
                GatewayEvent.brokerConnected,
                #""broker":"mqtts://broker.lan:8883","event":"broker","state":"connected""#,
                "connected to mqtts://broker.lan:8883"
            ),
            (
                .brokerLost("closed"),
                #""broker":"mqtts://broker.lan:8883","event":"broker","reason":"closed","state":"lost""#,
                "no connection to mqtts://broker.lan:8883 (closed): trying again"
            ),
            (
                .brokerRefused("it is not available"),
                #""broker":"mqtts://broker.lan:8883","event":"broker","reason":"it is not available","state":"refused""#,
                "mqtts://broker.lan:8883 refuses: it is not available. Trying again every half minute"
            ),
            (
                .topicDenied("a/b"),
                #""broker":"mqtts://broker.lan:8883","event":"broker","#
                    + #""reason":"this client may not subscribe to a/b; allow it there","state":"unsubscribed""#,
                "mqtts://broker.lan:8883 refuses: this client may not subscribe to a/b; allow it there"
            ),
            (
                .radioLost("Bluetooth is off"), #""event":"radio","reason":"Bluetooth is off","state":"lost""#,
                "no radio (Bluetooth is off): waiting for it"
            ),
            (.radioReturned, #""event":"radio","state":"on""#, "the radio is back"),
        ] as [(GatewayEvent, String, String)])
    func `are of the broker and of the radio`(event: GatewayEvent, json: String, line: String) throws {
        try expect(event, json, line)
    }

    @Test(
        arguments: [
            (
                .device(device, name: "Cellar"), #""event":"device","id":"A4:C1:38:00:00:01","name":"Cellar""#,
                "device  A4:C1:38:00:00:01  Cellar"
            ),
            (
                .forgotten(device),
                #""event":"forgotten","id":"A4:C1:38:00:00:01","#
                    + #""reason":"there are more than 512 devices: hide some of them by rules""#,
                "forgotten  A4:C1:38:00:00:01  (there are more than 512 devices: hide some of them by rules)"
            ),
            (.removed(device), #""event":"removed","id":"A4:C1:38:00:00:01""#, "removed  A4:C1:38:00:00:01"),
            (
                .unread(device, "no key"), #""event":"unread","id":"A4:C1:38:00:00:01","reason":"no key""#,
                "frames of A4:C1:38:00:00:01 are not read: no key"
            ),
            (
                .linked(device), #""event":"link","id":"A4:C1:38:00:00:01","state":"connected""#,
                "connected  A4:C1:38:00:00:01"
            ),
            (
                .unlinked(device), #""event":"link","id":"A4:C1:38:00:00:01","state":"disconnected""#,
                "disconnected  A4:C1:38:00:00:01"
            ),
            (.linkRead(device), #""event":"link","id":"A4:C1:38:00:00:01","state":"read""#, "read  A4:C1:38:00:00:01"),
            (
                .linkFailed(device, "silent"),
                #""event":"link","id":"A4:C1:38:00:00:01","reason":"silent","state":"failed""#,
                "failed  A4:C1:38:00:00:01  silent"
            ),
            (
                .written(device, key: "Alert"),
                #""event":"command","id":"A4:C1:38:00:00:01","key":"Alert","state":"written""#,
                "wrote A4:C1:38:00:00:01 Alert"
            ),
            (
                .notWritten(device, key: "Alert", "no"),
                #""event":"command","id":"A4:C1:38:00:00:01","key":"Alert","reason":"no","state":"failed""#,
                "not written: A4:C1:38:00:00:01 Alert: no"
            ),
            (
                .commandRefused("it is retained"), #""event":"command","reason":"it is retained","state":"refused""#,
                "a command is refused: it is retained"
            ),
        ] as [(GatewayEvent, String, String)])
    func `are of devices`(event: GatewayEvent, json: String, line: String) throws {
        try expect(event, json, line)
    }

    @Test(
        arguments: [
            (
                .configurationRead(keysForNextStart: []), #""event":"configuration","state":"read""#,
                "read the configuration again"
            ),
            (
                .configurationRead(keysForNextStart: ["broker", "name"]),
                #""event":"configuration","nextStart":["broker","name"],"state":"read""#,
                "read the configuration again\nfrom the next start on: broker, name"
            ),
            (
                .configurationRefused("a:1:1: no"), #""event":"configuration","reason":"a:1:1: no","state":"refused""#,
                "the configuration stays as it was\na:1:1: no"
            ),
            (.stateFault("f cannot be used"), #""event":"state","reason":"f cannot be used""#, "f cannot be used"),
        ] as [(GatewayEvent, String, String)])
    func `are of files`(event: GatewayEvent, json: String, line: String) throws {
        try expect(event, json, line)
    }

    @Test func `are of the metrics`() {
        let report = GatewayReport(metricsAt: "http://[::1]:9464/metrics", date: Self.date)
        #expect(
            JSONLine.text(report) == #"{"date":"\#(Self.date)","event":"metrics","url":"http://[::1]:9464/metrics"}"#)
        #expect(report.lines == ["metrics at http://[::1]:9464/metrics"])
    }

    @Test func `are at the end the numbers of a gateway that has no file, group or connection`() throws {
        var end = GatewayEnd()
        (end.numbers.messages.published, end.numbers.messages.connections, end.lost) = (12, 1, 0)
        // Presses that were not sent when a connection was lost.
        end.numbers.messages.outdated = 3
        let json =
            #""connections":1,"date":"\#(Self.date)","dropped":0,"encrypted":0,"event":"gateway","forgotten":0,"#
            + #""lost":0,"missed":0,"outdated":3,"published":12,"refused":0,"replaced":0,"replayed":0,"unread":0"#
        let report = try Self.report(.ended(end))
        #expect(JSONLine.text(report) == "{\(json)}")
        #expect(report.lines == ["published 12 messages, 0 replaced by newer ones, 3 outdated by a lost connection"])
    }

    @Test func `are at the end all numbers of a gateway that has a file, a group and connections`() throws {
        var end = GatewayEnd()
        var messages = BrokerCounts()
        (messages.published, messages.refused, messages.replaced, messages.dropped) = (1, 2, 3, 4)
        (messages.outdated, messages.expired, messages.connections, messages.missedEvents) = (5, 6, 7, 8)
        end.numbers.messages = messages
        let frames = (encrypted: 9, unread: 10, replayed: 11)
        end.numbers.unreadFrames.encrypted = frames.encrypted
        (end.numbers.unreadFrames.refused, end.numbers.unreadFrames.replayed) = (frames.unread, frames.replayed)
        (end.numbers.unwrittenStates, end.lost, end.kept, end.forgotten, end.ignored) = (12, 13, 14, 15, 16)
        end.numbers.connections.failures = 17
        (end.numbers.connections.written, end.numbers.connections.notWritten) = (18, 19)
        end.numbers.connections.refused = 20
        end.connectsToDevices = true
        let json =
            #""connections":7,"date":"\#(Self.date)","dropped":4,"encrypted":9,"event":"gateway","expired":6,"#
            + #""forgotten":15,"ignored":16,"kept":14,"linkFailures":17,"lost":13,"missed":8,"notWritten":19,"#
            + #""outdated":5,"published":1,"refused":2,"refusedCommands":20,"replaced":3,"replayed":11,"unread":10,"#
            + #""unwritten":12,"written":18"#
        let report = try Self.report(.ended(end))
        #expect(JSONLine.text(report) == "{\(json)}")
        let first =
            "published 1 message, 3 replaced by newer ones, 4 dropped as there was no room, 2 refused, "
            + "5 outdated by a lost connection, 6 expired, 14 kept for the next start, 13 not answered"
        #expect(
            report.lines == [
                first, "8 events of the broker without room: it was asked again",
                "15 devices gave way to others: too many",
                "the file for the next start could not be written", "16 messages of no gateway: ignored",
                "17 failures of connections to devices",
                "18 values of commands written, 19 not written, 20 commands refused",
                "9 frames encrypted, and without a key: not read", "10 frames not of their key: not read",
                "11 frames sent again: not read",
            ])
    }

    private func expect(_ event: GatewayEvent, _ json: String, _ line: String) throws {
        let report = try Self.report(event)
        // The date stands where the alphabet has it.
        let fields =
            json.hasPrefix(#""broker""#)
            ? json.replacing(#","event""#, with: #","date":"\#(Self.date)","event""#)
            : #""date":"\#(Self.date)",\#(json)"#
        #expect(JSONLine.text(report) == "{\(fields)}")
        #expect(report.lines.joined(separator: "\n") == line)
    }
}
#endif
