import Foundation

/// A recorded trace: what a client and `bluetoothd` said to each other, and what the peer was told to do meanwhile.
package struct Trace: Sendable {
    /// One message or one command.
    enum Line: Sendable {
        /// The client calls a method.
        case call(number: Int, path: String, interface: String, member: String, signature: String, body: JSONValue)
        /// The daemon answers a call.
        case reply(Message)
        /// The daemon tells something.
        case signal(Message)
        /// The daemon asks the client's agent.
        case question(Message)
        /// The agent answers; with the name of an error if it refuses.
        case answer(path: String, name: String, error: String?, signature: String, body: JSONValue)
        /// The peer is told to do something.
        case peer(JSONValue)
    }

    /// A message from the daemon, in the form in which it is compared.
    struct Message: Sendable {
        var path: String
        /// Interface and member, or the error's name.
        var name: String
        var body: JSONValue
    }

    package let name: String
    let lines: [Line]

    /// Reads a trace from its file.
    package init(name: String, folder: String) throws {
        self.name = name
        let text = try String(contentsOfFile: "\(folder)/\(name).trace", encoding: .utf8)
        lines = try text.split(separator: "\n").compactMap { try Self.parse($0) }
    }

    private static func parse(_ line: Substring) throws -> Line? {
        if line.hasPrefix("#") { return nil }
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard words.count == 3 else { return nil }
        if words[1] == "note" {
            guard words[2].hasPrefix("peer: ") else { return nil }
            return .peer(try JSONValue(text: String(words[2].dropFirst(6))))
        }
        // Way, number, path, name, signature in parentheses, body.
        let parts = words[2].split(separator: " ", maxSplits: 5)
        guard parts.count == 6, parts[0] != "D>*" else { return nil }
        let path = String(parts[2])
        let name = String(parts[3])
        let body = try JSONValue(text: String(parts[5]))
        switch words[1] {
        case "call":
            guard parts[0] == "C>B" else { return .question(Message(path: path, name: "call \(name)", body: body)) }
            let dot = name.lastIndex(of: ".") ?? name.startIndex
            return .call(
                number: Int(parts[1].dropFirst()) ?? 0, path: path, interface: String(name[..<dot]),
                member: String(name[name.index(after: dot)...]), signature: String(parts[4].dropFirst().dropLast()),
                body: body)
        case "signal": return .signal(Message(path: path, name: name, body: body))
        case let outcome where parts[0] == "C>B":
            return .answer(
                path: path, name: name, error: outcome.hasPrefix("error=") ? String(outcome.dropFirst(6)) : nil,
                signature: String(parts[4].dropFirst().dropLast()), body: body)
        case "return": return .reply(Message(path: path, name: "return \(name)", body: body))
        default: return .reply(Message(path: path, name: "\(words[1]) \(name)", body: body))
        }
    }
}

extension Trace {
    /// The traces that are replayed, on the fake and on the real daemon.
    ///
    /// The others stand as records: those whose peer acts as a central, or that need another adapter, another daemon or
    /// half a minute; what the fake does not do as bluetoothd does (`acquire`, `adapter-properties`, `pair-explicitly…`,
    /// `power-off-while-scanning`, `scan-for-service`); and `connect-refused`, where bluetoothd answers one of two texts.
    package static let replayable = [
        "connect", "connect-cancelled", "connect-without-services", "peer-disconnects", "read-write",
        "long-values", "notify", "notify-inside-subscribe", "notify-then-disconnect", "read-while-notifying",
        "overlapping", "scan-misuse", "disconnect-during-read", "vanish-during-read", "own-disconnect-during-read",
        "power-off-during-read", "service-changed", "battery", "att-errors",
        "pair-by-comparison", "pair-by-comparison-refused", "scan",
    ]
}
