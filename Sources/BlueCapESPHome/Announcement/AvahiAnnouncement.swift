// SPDX-License-Identifier: MIT

#if ESPHome && BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
package import BlueCapLoop
package import BlueCapRuntime

/// Announces a proxy in the local network, by the Avahi of the machine, for as long as this object lives.
///
/// A restart of Avahi is noticed, and the proxy announced again. Without Avahi there is no announcement: the address
/// has to be typed then.
package actor AvahiAnnouncement: RadioActor {
    private static let name = "org.freedesktop.Avahi"
    private static let limit = Duration.seconds(10)
    /// Of any interface, and any protocol.
    private static let (anyInterface, anyProtocol) = (DBusValue.int32(-1), DBusValue.int32(-1))

    private let service: AnnouncedService
    private let report: @Sendable (AnnouncementEvent) -> Void
    private let loop: EventLoop
    private var link: BusLink?

    package nonisolated var executor: any BackendExecutor { loop }
    // SAFETY: the loop is a `let` of this actor, so it lives at least as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - service: The service to announce.
    ///   - report: Takes the outcomes, on a thread of this object's own.
    /// - Throws: The reason why there is no thread.
    package init(
        _ service: AnnouncedService, report: @escaping @Sendable (AnnouncementEvent) -> Void
    ) throws(LoopError) {
        (self.service, self.report) = (service, report)
        loop = try EventLoop()
    }

    /// Begins to announce.
    package nonisolated func open() { later { $0.connect() } }

    /// Ends the announcement, and the thread. To be called from outside of it, once.
    package nonisolated func stop() async {
        await close()
        await loop.stop()
    }

    /// Avahi takes back what a connection has announced, when the connection ends.
    private func close() {
        link?.close()
        link = nil
    }

    private func connect() {
        do {
            BusLink.open(try BusAddress.system(), on: loop, deadline: Self.limit) { [weak self] result in
                self?.onExecutor(with: result) { $0.opened($1) }
            }
        } catch {
            report(.failed("\(error)"))
        }
    }

    private func opened(_ result: Result<BusLink, DBusError>) {
        do {
            let link = try result.get()
            self.link = link
            try link.watchName(Self.name) { [weak self] change in
                if change.owner != nil { self?.onExecutor { $0.announce() } }
            } ready: { [weak self] owner in
                self?.onExecutor(with: owner) { announcement, owner in
                    if case .success(.some) = owner { announcement.announce() } else { announcement.report(.noAvahi) }
                }
            }
        } catch {
            report(.failed("\(error)"))
        }
    }

    private func announce() {
        call("/", "Server", "EntryGroupNew", []) { announcement, reply in
            guard let group = try reply.body(expecting: "o").first?.objectPathValue else { return }
            announcement.fill(group)
        }
    }

    private func fill(_ group: String) {
        let texts = service.texts.map { DBusValue.bytes(Array($0.utf8)) }
        let body = [
            Self.anyInterface, Self.anyProtocol, .uint32(0), .string(service.name), .string(AnnouncedService.type),
            .string(""), .string(""), .uint16(service.port), .array(texts, of: "ay"),
        ]
        call(group, "EntryGroup", "AddService", body) { announcement, _ in
            announcement.call(group, "EntryGroup", "Commit", []) { announcement, _ in
                announcement.report(.announced)
            }
        }
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue],
        _ next: @escaping @Sendable (isolated AvahiAnnouncement, Message) throws -> Void
    ) {
        do {
            let message = try Message.methodCall(
                to: Self.name, path: path, interface: "\(Self.name).\(interface)", member: member, body: body)
            link?.call(message, deadline: Self.limit) { [weak self] result in
                self?.onExecutor(with: result) { announcement, result in
                    do { try next(announcement, try result.get()) } catch {
                        announcement.report(.failed("\(member): \(error)"))
                    }
                }
            }
        } catch {
            report(.failed("\(error)"))
        }
    }
}
#endif
