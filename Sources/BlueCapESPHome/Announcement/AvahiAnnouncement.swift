// SPDX-License-Identifier: MIT

#if ESPHome && BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
package import BlueCapRuntime

/// Announces a proxy by multicast DNS for as long as it is wanted, through Avahi's D-Bus interface
/// (`org.freedesktop.Avahi`), on a connection and a thread of its own.
///
/// A bus or an Avahi that is missing, or ends, is waited for, and a name that another machine has gives way to another
/// one.
package actor AvahiAnnouncement: RadioActor {
    private static let avahi = "org.freedesktop.Avahi"
    private static let server = "org.freedesktop.Avahi.Server"
    private static let entryGroup = "org.freedesktop.Avahi.EntryGroup"
    /// Any interface of the machine, and any version of IP.
    private static let unspecified = DBusValue.int32(-1)
    private static let limit: Duration = .seconds(25)
    /// How long to wait where there is no bus.
    private static let pause: Duration = .seconds(30)

    private let loop: EventLoop
    private let bus: BusAddress
    private let service: AnnouncedService
    private let report: @Sendable (AnnouncementEvent) -> Void
    private var machine: AnnouncementMachine
    private var link: BusLink?
    /// Grows with each new start, as an answer from before does not count after it.
    private var turn = 0
    private var group: String?
    private var timer: TimerID?
    private var isClosed = false

    package nonisolated var executor: any BackendExecutor { loop }
    // SAFETY: the loop is a `let` of this actor, so it lives at least as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - service: The service.
    ///   - bus: The D-Bus address of the bus; nil for the system bus.
    ///   - report: Called on the announcement's thread with the news.
    /// - Throws: The reason why there is no thread, or why the address is none.
    package init(
        _ service: AnnouncedService, bus: String? = nil, report: @escaping @Sendable (AnnouncementEvent) -> Void
    ) throws {
        (self.service, self.report) = (service, report)
        self.bus = if let bus { try BusAddress(bus) } else { try BusAddress.system() }
        machine = AnnouncementMachine(name: service.name)
        loop = try EventLoop()
    }

    /// Begins to announce the service.
    package nonisolated func open() { later { $0.connect() } }

    /// Takes the service back, and ends the thread. To be called from outside of it, once.
    package nonisolated func stop() async {
        await close()
        await loop.stop()
    }

    /// Avahi takes back all that a connection has announced, when the connection ends.
    private func close() {
        isClosed = true
        cancelTimer()
        link?.close()
        link = nil
    }

    // MARK: The bus

    private func connect() {
        if isClosed { return }
        link = BusLink.open(bus, on: loop, deadline: Self.limit) { [weak self] result in
            self?.onExecutor(with: result) { $0.opened($1) }
        }
    }

    private func opened(_ result: Result<BusLink, DBusError>) {
        guard !isClosed else { return }
        do throws(DBusError) {
            let link = try result.get()
            link.onDisconnect { [weak self] in self?.onExecutor { $0.lost("the connection to the bus has ended") } }
            try follow(on: link)
        } catch {
            lost("there is no system bus: \(Self.text(error))")
        }
    }

    private func follow(on link: BusLink) throws(DBusError) {
        try link.watchName(
            Self.avahi,
            handler: { [weak self] change in
                let isThere = change.owner != nil
                // Another owner knows nothing of a group at the one before.
                self?.onExecutor { me in
                    me.take(.disappeared)
                    if isThere { me.take(.appeared) }
                }
            },
            ready: { [weak self] result in
                self?.onExecutor(with: result) { me, result in
                    switch result {
                    case .success(nil): me.report(.withdrawn("Avahi does not run"))
                    case .success: me.take(.appeared)
                    case .failure(let error): me.lost(Self.text(error))
                    }
                }
            })
        link.addMatch(try MatchRule(sender: Self.avahi))
        link.onSignal(.all, sender: Self.avahi, member: "StateChanged") { [weak self] message in
            self?.onExecutor(with: message) { $0.changed($1) }
        }
    }

    private func lost(_ reason: String) {
        link?.close()
        link = nil
        take(.disappeared)
        if isClosed { return }
        report(.withdrawn(reason))
        wait(Self.pause) { $0.connect() }
    }

    // MARK: Avahi

    private func changed(_ signal: Message) {
        guard let values = try? signal.body(expecting: "is"), case .int32(let state) = values[0] else { return }
        if signal.interface == Self.server {
            take(state == 2 ? .ready : .unready)
        } else if signal.interface == Self.entryGroup, signal.path == group {
            switch state {
            case 2: take(.established)
            case 3: take(.collided)
            case 4: take(.failed("Avahi: \(values[1].stringValue ?? "")"))
            default: break
            }
        }
    }

    private func take(_ event: AnnouncementMachine.Event) {
        if event == .disappeared || event == .unready { restart() }
        if isClosed { return }
        for action in machine.take(event) { carryOut(action) }
    }

    private func restart() {
        turn += 1
        group = nil
        cancelTimer()
    }

    private func carryOut(_ action: AnnouncementMachine.Action) {
        switch action {
        case .askState:
            call(Self.server, "GetState", at: "/", answer: "i") { me, values in
                me.take(values[0] == .int32(2) ? .ready : .unready)
            }
        case .askForGroup:
            call(Self.server, "EntryGroupNew", at: "/", answer: "o") { me, values in
                guard case .objectPath(let path) = values[0] else { return }
                me.group = path
                me.take(.group(path))
            }
        case .add(let name, let group):
            let text = DBusValue.array(service.texts.map { .bytes(Array($0.utf8)) }, of: "ay")
            let body: [DBusValue] = [
                Self.unspecified, Self.unspecified, .uint32(0), .string(name), .string(AnnouncedService.type),
                .string(""), .string(""), .uint16(service.port), text,
            ]
            call(Self.entryGroup, "AddService", at: group, body) { me, _ in
                me.call(Self.entryGroup, "Commit", at: group) { _, _ in }
            }
        case .free(let path):
            if group == path { group = nil }
            let message = try? Message.methodCall(
                to: Self.avahi, path: path, interface: Self.entryGroup, member: "Free", expectsReply: false)
            if let message { try? link?.send(message) }
        case .askForName(let name):
            call(Self.server, "GetAlternativeServiceName", at: "/", [.string(name)], answer: "s") { me, values in
                if let other = values[0].stringValue { me.take(.renamed(other)) }
            }
        case .pause(let pause): wait(pause) { $0.take(.paused) }
        case .report(let news): report(news)
        }
    }

    /// Calls a method of Avahi; a failure is the machine's matter, unless Avahi or its state has changed meanwhile.
    private func call(
        _ interface: String, _ member: String, at path: String, _ body: [DBusValue] = [], answer: String = "",
        _ completion: @escaping @Sendable (isolated AvahiAnnouncement, [DBusValue]) -> Void
    ) {
        let turn = turn
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: Self.avahi, path: path, interface: interface, member: member, body: body)
            link?.call(message, deadline: Self.limit) { [weak self] result in
                self?.onExecutor(with: result) { me, result in
                    guard me.turn == turn else { return }
                    do throws(DBusError) {
                        completion(me, try result.get().body(expecting: answer))
                    } catch {
                        let isTaken = error.remoteName == "org.freedesktop.Avahi.CollisionError"
                        me.take(isTaken ? .collided : .failed("Avahi: \(Self.text(error))"))
                    }
                }
            }
        } catch {
            take(.failed(Self.text(error)))
        }
    }

    private func wait(_ pause: Duration, _ body: @escaping @Sendable (isolated AvahiAnnouncement) -> Void) {
        cancelTimer()
        timer = loop.after(pause) { [weak self] in
            self?.onExecutor { me in
                me.timer = nil
                body(me)
            }
        }
    }

    private func cancelTimer() {
        if let timer = timer.take() { loop.cancel(timer) }
    }

    /// The words of the bus, where it has some.
    private static func text(_ error: DBusError) -> String {
        switch error {
        case .openFailed(_, let message), .remote(_, let message): message
        default: "\(error)"
        }
    }
}
#endif
