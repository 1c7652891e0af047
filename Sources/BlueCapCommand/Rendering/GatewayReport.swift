// SPDX-License-Identifier: MIT

#if Gateway
import BlueCap
import BlueCapGateway

/// An event of a gateway: one object of JSON, and lines for people.
struct GatewayReport: Encodable, Sendable {
    private enum Field: Encodable {
        case text(String)
        case number(Int)
        case list([String])

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .number(let number): try number.encode(to: encoder)
            case .list(let list): try list.encode(to: encoder)
            }
        }
    }

    private var fields: [String: Field]
    /// For people.
    let lines: [String]

    /// - Parameters:
    ///   - event: The event.
    ///   - broker: The broker of the gateway.
    ///   - maximumDevices: How many devices are kept.
    ///   - date: The moment of the event.
    init(_ event: GatewayEvent, broker: BrokerAddress, maximumDevices: Int, date: String) {
        switch event {
        case .brokerConnected:
            self.init(broker, "connected", nil, date, "connected to \(broker)")
        case .brokerLost(let reason):
            self.init(broker, "lost", reason, date, "no connection to \(broker) (\(reason)): trying again")
        case .brokerRefused(let reason):
            let line = "\(broker) refuses: \(reason). Trying again every half minute"
            self.init(broker, "refused", reason, date, line)
        case .topicDenied(let topic):
            let reason = "this client may not subscribe to \(topic); allow it there"
            self.init(broker, "unsubscribed", reason, date, "\(broker) refuses: \(reason)")
        case .radioLost(let reason):
            let line = "no radio (\(reason)): waiting for it"
            self.init("radio", ["state": "lost", "reason": reason, "date": date], line)
        case .radioReturned:
            self.init("radio", ["state": "on", "date": date], "the radio is back")
        case .device(let id, let name):
            self.init(id, "device", ["name": name, "date": date], TextLayout.printable(name))
        case .forgotten(let id):
            let reason = "there are more than \(maximumDevices) devices: hide some of them by rules"
            self.init(id, "forgotten", ["reason": reason, "date": date], "(\(reason))")
        case .removed(let id):
            self.init(id, "removed", ["date": date])
        case .unread(let id, let reason):
            let line = "frames of \(id.text) are not read: \(reason)"
            self.init("unread", ["id": id.text, "reason": reason, "date": date], line)
        case .linked(let id): self.init(link: id, "connected", nil, date)
        case .unlinked(let id): self.init(link: id, "disconnected", nil, date)
        case .linkRead(let id): self.init(link: id, "read", nil, date)
        case .linkFailed(let id, let reason): self.init(link: id, "failed", reason, date)
        case .written(let id, let key):
            let line = "wrote \(id.text) \(TextLayout.printable(key))"
            self.init("command", ["state": "written", "id": id.text, "key": key, "date": date], line)
        case .notWritten(let id, let key, let reason):
            let words = "\(id.text) \(TextLayout.printable(key)): \(TextLayout.printable(reason))"
            let fields = ["state": "failed", "id": id.text, "key": key, "reason": reason, "date": date]
            self.init("command", fields, "not written: \(words)")
        case .commandRefused(let reason):
            let line = "a command is refused: \(reason)"
            self.init("command", ["state": "refused", "reason": reason, "date": date], line)
        case .configurationRead(let keys):
            let later = keys.isEmpty ? [] : ["from the next start on: \(keys.joined(separator: ", "))"]
            self.init(
                "configuration", ["state": "read", "date": date], lines: ["read the configuration again"] + later)
            if !keys.isEmpty { fields["nextStart"] = .list(keys) }
        case .configurationRefused(let reason):
            let fields = ["state": "refused", "reason": reason, "date": date]
            self.init("configuration", fields, "the configuration stays as it was", reason)
        case .stateFault(let reason):
            self.init("state", ["reason": reason, "date": date], reason)
        case .ended(let end):
            self.init("gateway", ["date": date], lines: Self.lines(end))
            fields.merge(Self.numbers(end).compactMapValues { $0.map(Field.number) }) { $1 }
        }
    }

    /// The event that metrics are served from now on.
    init(metricsAt url: String, date: String) {
        self.init("metrics", ["url": url, "date": date], "metrics at \(url)")
    }

    private init(_ event: String, _ texts: [String: String], lines: [String]) {
        fields = texts.mapValues(Field.text)
        fields["event"] = .text(event)
        self.lines = lines
    }

    private init(_ event: String, _ texts: [String: String], _ lines: String...) {
        self.init(event, texts, lines: lines)
    }

    private init(_ broker: BrokerAddress, _ state: String, _ reason: String?, _ date: String, _ line: String) {
        var texts = ["state": state, "broker": broker.description, "date": date]
        texts["reason"] = reason
        self.init("broker", texts, line)
    }

    /// Of a device, whose line begins with the event and its address.
    private init(_ id: PeerIdentifier, _ event: String, _ texts: [String: String], _ words: String...) {
        var texts = texts
        texts["id"] = id.text
        self.init(event, texts, ([event, id.text] + words).joined(separator: "  "))
    }

    private init(link id: PeerIdentifier, _ state: String, _ reason: String?, _ date: String) {
        var texts = ["state": state, "id": id.text, "date": date]
        texts["reason"] = reason
        let words = [state, id.text, reason.map(TextLayout.printable)].compactMap(\.self)
        self.init("link", texts, words.joined(separator: "  "))
    }

    func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

    // MARK: The end

    /// The numbers by their keys; nil for a number that the gateway does not have.
    private static func numbers(_ end: GatewayEnd) -> [String: Int?] {
        let (messages, frames) = (end.numbers.messages, end.numbers.unreadFrames)
        let links = end.connectsToDevices ? end.numbers.connections : nil
        return [
            "published": messages.published, "replaced": messages.replaced, "dropped": messages.dropped,
            "refused": messages.refused, "lost": end.lost, "connections": messages.connections,
            "missed": messages.missedEvents, "encrypted": frames.encrypted, "unread": frames.refused,
            "replayed": frames.replayed, "forgotten": end.forgotten, "kept": end.kept,
            "expired": end.kept.map { _ in messages.expired }, "unwritten": end.numbers.unwrittenStates,
            "outdated": messages.outdated, "ignored": end.ignored,
            "linkFailures": links?.failures, "written": links?.written, "notWritten": links?.notWritten,
            "refusedCommands": links?.refused,
        ]
    }

    private static func lines(_ end: GatewayEnd) -> [String] {
        let (messages, frames, links) = (end.numbers.messages, end.numbers.unreadFrames, end.numbers.connections)
        let losses = [
            (messages.dropped, "dropped as there was no room"), (messages.refused, "refused"),
            (messages.outdated, "outdated by a lost connection"),
            (end.kept == nil ? 0 : messages.expired, "expired"), (end.kept ?? 0, "kept for the next start"),
            (end.lost, "not answered"),
        ]
        let published = "published \(TextLayout.count(messages.published, "message"))"
        let first =
            [published, "\(messages.replaced) replaced by newer ones"]
            + losses.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var lines = [first.joined(separator: ", ")]
        if messages.missedEvents > 0 {
            let count = TextLayout.count(messages.missedEvents, "event")
            lines.append("\(count) of the broker without room: it was asked again")
        }
        if end.forgotten > 0 {
            lines.append("\(TextLayout.count(end.forgotten, "device")) gave way to others: too many")
        }
        if end.numbers.unwrittenStates ?? 0 > 0 { lines.append("the file for the next start could not be written") }
        if let ignored = end.ignored, ignored > 0 {
            lines.append("\(TextLayout.count(ignored, "message")) of no gateway: ignored")
        }
        if end.connectsToDevices, links.failures > 0 {
            lines.append("\(TextLayout.count(links.failures, "failure")) of connections to devices")
        }
        if end.connectsToDevices, links.written + links.notWritten + links.refused > 0 {
            let values = "\(TextLayout.count(links.written, "value")) of commands written"
            let refused = TextLayout.count(links.refused, "command")
            lines.append("\(values), \(links.notWritten) not written, \(refused) refused")
        }
        let unread = [
            (frames.encrypted, "encrypted, and without a key"), (frames.refused, "not of their key"),
            (frames.replayed, "sent again"),
        ]
        return lines + unread.filter { $0.0 > 0 }.map { "\(TextLayout.count($0.0, "frame")) \($0.1): not read" }
    }
}
#endif
