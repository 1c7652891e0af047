// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

extension FakeDaemon {
    /// Calls a program's object and takes the answer.
    func ask(
        _ client: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [],
        reply: @escaping (Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let call = try Message.methodCall(to: client, path: path, interface: interface, member: member, body: body)
            link.call(call, reply: reply)
        } catch {
            reply(.failure(error))
        }
    }

    /// The same for a request of a central, which is answered with an error after five seconds
    /// (`serve-unanswered.trace`).
    func askForCentral(
        _ object: FakeObject, _ member: String, _ body: [DBusValue],
        reply: @escaping (Result<Message, DBusError>) -> Void
    ) {
        guard
            let message = try? Message.methodCall(
                to: object.client, path: object.path, interface: object.interface, member: member, body: body)
        else { return reply(.failure(.invalidArgument(member))) }
        var timer: ClockTimer?
        let call = link.call(message) { result in
            timer?.cancel()
            reply(result)
        }
        let client = object.client
        // The program finishes the work of these five seconds first, although a manual clock leaps. The first ping may
        // overtake a job that its thread has just received.
        timer = after(.milliseconds(5001)) { daemon in
            let ping = ("/", "org.freedesktop.DBus.Peer", "Ping")
            daemon.ask(client, ping.0, ping.1, ping.2) { _ in
                daemon.ask(client, ping.0, ping.1, ping.2) { _ in daemon.link.cancel(call) }
            }
        }
    }

    /// Calls a program's object without wanting an answer.
    func tell(_ client: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue]) {
        guard
            let call = try? Message.methodCall(
                to: client, path: path, interface: interface, member: member, body: body, expectsReply: false)
        else { return }
        try? link.send(call)
    }
}

extension ATTError {
    /// The ATT error that the daemon derives from a program's error (`serve-errors.trace`).
    init(_ error: DBusError, denied: ATTError) {
        guard case .remote(let name, let text) = error else {
            self = .unlikelyError
            return
        }
        switch name {
        case "org.bluez.Error.NotPermitted": self = denied
        case "org.bluez.Error.NotSupported": self = .requestNotSupported
        case "org.bluez.Error.NotAuthorized": self = .insufficientAuthorization
        case "org.bluez.Error.InvalidOffset": self = .invalidOffset
        case "org.bluez.Error.InvalidValueLength": self = .invalidAttributeValueLength
        case "org.bluez.Error.InProgress": self = .procedureAlreadyInProgress
        case "org.bluez.Error.Failed":
            let code = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : nil
            self = code.flatMap { (0x80...0x9F).contains($0) ? ATTError(rawValue: $0) : nil } ?? .unlikelyError
        default: self = .unlikelyError
        }
    }
}
#endif
