// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCap
import BlueCapESPHome

/// An event of a proxy: one object of JSON, and a line for people. A key is in none of them.
struct ProxyReport: Encodable, Sendable {
    private enum Field: Encodable {
        case text(String)
        case number(Int)
        case truth(Bool)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .number(let number): try number.encode(to: encoder)
            case .truth(let truth): try truth.encode(to: encoder)
            }
        }
    }

    private var fields: [String: Field]
    /// For people.
    let line: String

    private init(_ event: String, _ date: String, _ fields: [String: Field], _ line: String) {
        self.fields = fields.merging(["event": .text(event), "date": .text(date)]) { $1 }
        self.line = line
    }

    /// - Parameters:
    ///   - event: The event.
    ///   - name: The proxy's, by which its links differ from others of the program.
    ///   - date: The moment of the event.
    init(_ event: ProxyEvent, of name: String, _ date: String) {
        switch event {
        case .joined(let name): self.init(client: name, "joined", nil, date)
        case .left(let name): self.init(client: name, "left", nil, date)
        case .refused(let name, let fault): self.init(client: name, "refused", Self.text(fault), date)
        case .linked(let id): self.init(link: id, "connected", of: name, date)
        case .unlinked(let id): self.init(link: id, "disconnected", of: name, date)
        case .radioLost(let state):
            let fields: [String: Field] = ["state": .text("lost"), "reason": .text("\(state)")]
            self.init("radio", date, fields, "no radio (\(state)): waiting for it")
        case .radioReturned: self.init("radio", date, ["state": .text("on")], "the radio is back")
        }
    }

    init(_ event: AnnouncementEvent, _ date: String) {
        switch event {
        case .announced(let name):
            let fields: [String: Field] = ["state": .text("announced"), "name": .text(name)]
            self.init("announcement", date, fields, "announced in the local network as \(TextLayout.printable(name))")
        case .withdrawn(let reason):
            let fields: [String: Field] = ["state": .text("withdrawn"), "reason": .text(reason)]
            let words = TextLayout.printable(reason)
            self.init("announcement", date, fields, "not announced in the local network (\(words)): type the address")
        }
    }

    private init(client name: String?, _ state: String, _ reason: String?, _ date: String) {
        var fields = ["state": Field.text(state)]
        fields["client"] = name.map { .text($0) }
        fields["reason"] = reason.map { .text($0) }
        let words = [state, name.map(TextLayout.printable), reason.map { "(\($0))" }].compactMap(\.self)
        self.init("client", date, fields, words.joined(separator: "  "))
    }

    private init(link id: PeerIdentifier, _ state: String, of name: String, _ date: String) {
        let fields: [String: Field] = ["state": .text(state), "id": .text(id.text), "proxy": .text(name)]
        self.init("link", date, fields, "\(state)  \(id.text)  (for a client)")
    }

    /// Metrics are served from now on.
    static func metrics(at url: String, _ date: String) -> Self {
        Self("metrics", date, ["url": .text(url)], "metrics at \(url)")
    }

    static func listening(_ identity: ProxyIdentity, port: UInt16, isEncrypted: Bool, _ date: String) -> Self {
        Self(
            "proxy", date,
            [
                "state": .text("listening"), "name": .text(identity.name), "port": .number(Int(port)),
                "address": .text(identity.address.text), "bluetoothAddress": .text(identity.bluetoothAddress.text),
                "encrypted": .truth(isEncrypted),
            ],
            "\(identity.name) at port \(port)\(isEncrypted ? "" : ", in clear text"): "
                + "add the integration ESPHome in Home Assistant, with the address of this machine")
    }

    static func madeKey(_ path: String, _ date: String) -> Self {
        Self("key", date, ["path": .text(path)], "made a key, which Home Assistant asks for: it is in \(path)")
    }

    static func ended(_ counts: ProxyCounts, _ date: String) -> Self {
        let refused = counts.refused.values.reduce(0, +)
        let dropped = counts.droppedAdvertisements + counts.droppedValues
        return Self(
            "proxy", date,
            [
                "state": .text("ended"), "clients": .number(counts.clients), "refused": .number(refused),
                "advertisements": .number(counts.advertisements), "links": .number(counts.links),
                "droppedAdvertisements": .number(counts.droppedAdvertisements),
                "droppedValues": .number(counts.droppedValues), "failedRequests": .number(counts.failedRequests),
            ],
            "\(TextLayout.count(counts.clients, "client")), \(refused) refused, "
                + "\(TextLayout.count(counts.advertisements, "advertisement")), \(dropped) dropped, "
                + "\(TextLayout.count(counts.links, "connection"))")
    }

    private static func text(_ fault: ProxyFault) -> String {
        switch fault {
        case .clearText: "it has no key"
        case .encrypted: "it has a key, and this proxy has none"
        case .wrongKey: "its key is another one"
        case .malformed: "its bytes are no messages"
        case .tooLong: "a frame is too long"
        case .notGreeted: "it said no hello"
        case .silent: "it was silent for too long"
        case .tooSlow: "it does not read"
        case .tooMany: "there are too many connections"
        }
    }

    func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
#endif
