// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapLoop

// SAFETY: the object is not shared during `init`; from then on all state is touched on the loop's thread alone: its
// objects are called there, and `TraceReplay` calls it in `loop.run`.
/// The client's objects - agent, application, advertisement - which answer the daemon's questions as a trace's did; on
/// the loop's thread only.
final class ReplayedObjects: @unchecked Sendable {
    /// The recorded answer; nil if the question was never answered.
    private typealias Answer = (error: String?, signature: String, body: JSONValue)?

    /// The answers that are left, by path and name of the question.
    private var answers: [String: [String: [Answer]]] = [:]
    private var unanswered: [MethodCall] = []
    private var readers: [PacketReader] = []
    private var writers: [String: PacketWriter] = [:]
    private let link: BusLink
    private let sink: AsyncStream<Trace.Message>.Continuation

    init(_ lines: [Trace.Line], on link: BusLink, _ sink: AsyncStream<Trace.Message>.Continuation) {
        self.link = link
        self.sink = sink
        var given: [Int: Answer] = [:]
        for case .answer(let number, let error, let signature, let body) in lines {
            given[number] = (error, signature, body)
        }
        for case .question(let number, let message) in lines {
            answers[message.path, default: [:]][message.name, default: []].append(given[number] ?? nil)
        }
    }

    func export() throws(DBusError) {
        for path in answers.keys { try link.export(at: path) { [self] in asked(path, $0) } }
    }

    private func asked(_ path: String, _ call: MethodCall) {
        let name = "call \(call.message.interface ?? "").\(call.message.member ?? "")"
        _ = sink.yield(Trace.Message(path: path, name: name, body: .list(call.arguments.map(\.json))))
        guard var left = answers[path]?[name], !left.isEmpty else {
            return call.fail("org.bluez.Error.Failed", "not asked then")
        }
        let answer = left.removeFirst()
        answers[path]?[name] = left
        guard let answer else { return unanswered.append(call) }
        if let error = answer.error { return call.fail(error, answer.body.list?.first?.text ?? "") }
        if answer.signature == "hq" { return giveSocket(path, answer.body, call) }
        guard let values = DBusValue.body(answer.body, signature: answer.signature) else {
            return call.fail("org.bluez.Error.Failed", "an answer of (\(answer.signature)) cannot be made")
        }
        call.reply { builder throws(DBusError) in
            for value in values { try builder.append(value) }
        }
    }

    // MARK: Sockets

    /// Answers AcquireNotify and AcquireWrite.
    private func giveSocket(_ path: String, _ body: JSONValue, _ call: MethodCall) {
        do throws(LoopError) {
            let pair = try PacketPair()
            call.reply { builder throws(DBusError) in
                try builder.append(pair.far)
                try builder.append(.uint16(UInt16(body.list?.last?.integer ?? 0)))
            }
            if call.message.member == "AcquireWrite" {
                let sink = sink
                readers.append(
                    try PacketReader(
                        pair.near.duplicate(), on: link.loop,
                        onPacket: { packet in
                            let text = DBusValue.bytes(Array(packet)).json
                            _ = sink.yield(Trace.Message(path: path, name: "packet", body: text))
                        }, onClose: { _ in }))
            } else {
                writers[path] = try PacketWriter(pair.near.duplicate(), on: link.loop, onClose: {})
            }
        } catch {
            call.fail("org.bluez.Error.Failed", "\(error)")
        }
    }

    /// Keeps the socket that the daemon gave for one of its own objects, if the reply brings one.
    func keepSocket(of reply: Message, path: String) {
        guard reply.signature == "hq", let descriptor = try? reply.takeDescriptor(at: 0) else { return }
        writers[path]?.close()
        writers[path] = try? PacketWriter(descriptor, on: link.loop, onClose: {})
    }

    /// Writes to the socket of an object, which AcquireNotify was answered with or AcquireWrite gave; whether it was
    /// taken.
    func send(_ packet: [UInt8], from path: String) -> Bool { writers[path]?.send(packet) == .sent }

    /// Closes the socket of an object.
    func close(_ path: String) { writers.removeValue(forKey: path)?.close() }

    /// Closes the readers and writers, which the loop would keep alive.
    func close() {
        for reader in readers { reader.close() }
        for writer in writers.values { writer.close() }
    }
}
#endif
