#if BlueZ && canImport(CDBus) && os(Linux)
import DBus

/// An agent that answers the daemon's questions as a trace's did; on the loop's thread only.
final class ReplayedAgent {
    private let path: String
    private let name: String
    private var answers: [String: [(error: String?, body: [DBusValue])]] = [:]
    private let sink: AsyncStream<Trace.Message>.Continuation

    init(path: String, interface: String, _ lines: [Trace.Line], _ sink: AsyncStream<Trace.Message>.Continuation) {
        self.path = path
        name = interface
        self.sink = sink
        for case .answer(path, let member, let error, let signature, let body) in lines {
            let values = error == nil ? DBusValue.body(body, signature: signature) ?? [] : []
            answers[member, default: []].append((error, values))
        }
    }

    /// The interface with the members that were asked.
    var interface: ExportedInterface {
        var interface = ExportedInterface(name)
        for member in answers.keys.sorted() {
            let short = String(member.dropFirst(name.count + 1))
            interface.method(short, in: Self.inputs[short] ?? "o") { self.asked(member, $0) }
        }
        return interface
    }

    private static let inputs = ["RequestConfirmation": "ou", "DisplayPasskey": "ouq", "AuthorizeService": "os"]

    private func asked(_ member: String, _ call: MethodCall) {
        let body = JSONValue.list(call.arguments.map(\.json))
        _ = sink.yield(Trace.Message(path: path, name: "call \(member)", body: body))
        guard var left = answers[member], !left.isEmpty else {
            return call.fail("org.bluez.Error.Rejected", "Rejected")
        }
        let answer = left.removeFirst()
        answers[member] = left
        guard answer.error == nil else { return call.fail(answer.error ?? "", "Rejected") }
        if let value = answer.body.first { call.reply(value) } else { call.reply() }
    }
}
#endif
