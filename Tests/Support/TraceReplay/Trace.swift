// SPDX-License-Identifier: MIT

import Foundation

/// A recorded trace: the messages between a client and `bluetoothd`, and the commands to the peer with the results that
/// the peer saw.
package struct Trace: Sendable {
    /// One message or one command.
    enum Line: Sendable {
        /// The client calls a method.
        case call(path: String, interface: String, member: String, signature: String, body: JSONValue)
        /// The daemon answers a call.
        case reply(Message)
        /// A signal of the daemon.
        case signal(Message)
        /// The daemon calls a method of one of the client's objects.
        case question(number: Int, Message)
        /// The client answers; with the name of an error if it refuses.
        case answer(number: Int, error: String?, signature: String, body: JSONValue)
        /// A signal of one of the client's objects.
        case emission(path: String, interface: String, member: String, signature: String, body: JSONValue)
        /// A command to the peer.
        case peer(JSONValue)
        /// The result that the peer saw.
        case saw(JSONValue)
        /// The daemon wrote to a socket that the client gave it.
        case packet(Message)
        /// The client writes to the socket that it gave the daemon, or was given, for this object.
        case sending(path: String, packet: JSONValue)
        /// The client closes the socket that it was given for this object.
        case closing(path: String)
        /// Time passes until the daemon goes on by itself.
        case pause(Duration)
        /// The client waits until the kernel has finished the work that the daemon has answered already.
        case wait(Duration)
    }

    /// A message from the daemon, in the form in which it is compared.
    struct Message: Sendable {
        var path: String
        /// Interface and member, or the error's name.
        var name: String
        var body: JSONValue
        /// Whether the daemon says it now and then only.
        var mayBeMissing = false
    }

    package let name: String
    let lines: [Line]
    /// Texts of which the daemon takes now the one and now the other.
    let alternatives: [String]
    /// The sum of the waits in the trace: for the daemon's own timers, and by its client.
    package var pauses: Duration {
        lines.reduce(.zero) { sum, line in
            switch line {
            case .pause(let duration), .wait(let duration): sum + duration
            default: sum
            }
        }
    }

    /// The longest time that the daemon takes without a timer of its own, in milliseconds.
    private static let briefly = 10_000.0
    /// The shortest pause of a client that counts as a deliberate wait, in milliseconds.
    private static let onPurpose = 400.0
    /// The longest that the kernel is waited for, in milliseconds.
    private static let settling = 1_000.0

    /// Reads a trace from its file.
    package init(name: String, folder: String) throws {
        self.name = name
        let text = try String(contentsOfFile: "\(folder)/\(name).trace", encoding: .utf8)
        var (last, passed) = (0.0, 0.0)
        // Set if the daemon's next message comes by a timer of its own, however short.
        var isLater = false
        var isPerhaps = false
        var alternatives: [String] = []
        // Once the radio is on again, Linux 7.3 now and then answers a discovery that starts at once with its answer
        // to the switching on, and starts none.
        let isSwitchedOff = text.contains(Self.switchingOff)
        lines = try text.split(separator: "\n").flatMap { line -> [Line] in
            if line.hasSuffix(" note later") { isLater = true }
            if line.hasSuffix(" note perhaps") { isPerhaps = true }
            if let texts = line.firstRange(of: " note either: ") {
                alternatives = try JSONValue(text: String(line[texts.upperBound...])).list?.compactMap(\.text) ?? []
            }
            guard var parsed = try Self.parse(line) else { return [] }
            if isPerhaps, case .reply(var message) = parsed {
                message.mayBeMissing = true
                (parsed, isPerhaps) = (.reply(message), false)
            }
            let time = line.split(separator: " ", maxSplits: 1).first.flatMap { Double($0) } ?? last
            defer { last = time }
            if isSwitchedOff, case .call = parsed, time - last >= Self.onPurpose {
                return [.wait(.milliseconds(Int(min(time - last, Self.settling)))), parsed]
            }
            guard parsed.isOfDaemon, isLater || time - last > Self.briefly else { return [parsed] }
            isLater = false
            // The client's earlier waits are not replayed, so the daemon's timer still has its whole time to run.
            defer { passed = time }
            return [.pause(.milliseconds(Int(time - passed))), parsed]
        }
        self.alternatives = alternatives
    }

    /// The text in a trace of a call that switches the radio off.
    private static let switchingOff = #"["org.bluez.Adapter1","Powered",{"b":false}]"#

    private static func parse(_ line: Substring) throws -> Line? {
        if line.hasPrefix("#") { return nil }
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard words.count == 3 else { return nil }
        if words[1] == "note" { return try note(words[2]) }
        // Way, number, path, name, signature in parentheses, body.
        let parts = words[2].split(separator: " ", maxSplits: 5)
        guard parts.count == 6, parts[0] != "D>*" else { return nil }
        let path = String(parts[2])
        let name = String(parts[3])
        let body = try JSONValue(text: String(parts[5]))
        let number = Int(parts[1].dropFirst()) ?? 0
        let signature = String(parts[4].dropFirst().dropLast())
        let dot = name.lastIndex(of: ".") ?? name.startIndex
        let (interface, member) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
        switch words[1] {
        case "call":
            guard parts[0] == "C>B" else {
                return .question(number: number, Message(path: path, name: "call \(name)", body: body))
            }
            return .call(path: path, interface: interface, member: member, signature: signature, body: body)
        case "signal":
            guard parts[0] == "C>*" else { return .signal(Message(path: path, name: name, body: body)) }
            return .emission(path: path, interface: interface, member: member, signature: signature, body: body)
        case let outcome where parts[0] == "C>B":
            return .answer(
                number: number, error: outcome.hasPrefix("error=") ? String(outcome.dropFirst(6)) : nil,
                signature: signature, body: body)
        case "return": return .reply(Message(path: path, name: "return \(name)", body: body))
        default: return .reply(Message(path: path, name: "\(words[1]) \(name)", body: body))
        }
    }
}

extension Trace.Line {
    /// Whether the daemon says it.
    fileprivate var isOfDaemon: Bool {
        switch self {
        case .reply, .signal, .question: true
        default: false
        }
    }
}

extension Trace {
    /// The line of the replay that a note stands for; nil if the note is for readers.
    private static func note(_ text: Substring) throws -> Line? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(": {") else { return nil }
        let value = try JSONValue(text: String(text[text.index(after: colon)...]))
        let path = value["path"]?.text ?? ""
        switch text[..<colon] {
        case "peer": return .peer(value)
        case "close": return .closing(path: path)
        case "saw": return .saw(value)
        case "packet":
            if let packet = value["to"] { return .sending(path: path, packet: packet) }
            return .packet(Message(path: path, name: "packet", body: value["from"] ?? .null))
        default: return nil
        }
    }

    /// The traces that are replayed on the real daemon only: those of passkeys, which the fake does not know.
    package static let ofPasskeys = ["pair-by-showing", "pair-by-typing", "pair-cancelled"]

    /// The traces that are replayed, on the fake and on the real daemon.
    package static let replayable = [
        "acquire", "adapter-properties", "adapter-removed-during-read", "att-errors", "battery", "connect",
        "connect-cancelled", "connect-refused", "connect-unreachable", "connect-without-services",
        "daemon-killed-during-read", "daemon-restarted-while-scanning", "disconnect-during-read",
        "disconnect-while-notifying", "long-values", "notify", "notify-burst", "notify-inside-subscribe",
        "notify-then-disconnect", "overlapping", "own-disconnect-during-read", "pair", "pair-by-comparison",
        "pair-by-comparison-refused", "pair-explicitly", "pair-explicitly-refused-by-peer",
        "pair-explicitly-without-agent", "pair-refused", "pair-refused-by-peer", "pair-without-agent",
        "peer-disconnects", "power-off-during-read", "power-off-while-connecting", "power-off-while-scanning",
        "read-while-notifying", "read-write", "remove-during-read", "scan", "scan-for-service", "scan-misuse",
        "scan-unfiltered", "security-errors", "service-changed", "unanswered-read", "vanish-during-read",
        "serve", "serve-errors", "serve-by-sockets", "serve-long-values", "serve-pairing", "serve-pairing-refused",
        "serve-pairing-without-agent", "serve-power-cycle", "serve-unanswered", "serve-daemon-restarted",
        "serve-adapter-removed", "register-misuse",
    ]

    /// The traces of 5.87 that the fake, which speaks as 5.66 does, is held to as well: there the newer daemon has
    /// neither words nor an order of its own.
    package static let unchanged = [
        "adapter-properties", "battery", "connect-refused", "connect-unreachable", "disconnect-during-read",
        "disconnect-while-notifying", "long-values", "notify", "notify-burst", "notify-inside-subscribe", "overlapping",
        "pair-explicitly", "pair-explicitly-refused-by-peer", "peer-disconnects", "power-off-while-connecting",
        "power-off-while-scanning", "read-while-notifying", "read-write", "register-misuse", "remove-during-read",
        "scan-misuse", "scan-unfiltered", "serve", "serve-by-sockets", "serve-errors", "serve-long-values",
        "serve-pairing", "serve-pairing-without-agent", "serve-unanswered", "service-changed", "unanswered-read",
        "vanish-during-read",
    ]
}
