// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCap
import BlueCapESPHome
import BlueCapLoop
import BlueCapPlatform

/// A proxy that runs, and whose events are printed.
struct ProxySession: Sendable {
    /// How many events wait to be printed.
    private static let capacity = 1024

    let slots: Int
    let port: UInt16
    let output: any LineOutput
    /// Nil for all addresses of the machine.
    var address: String?
    /// Nil for clear text.
    var key: NoiseKey?
    /// The file of a key that was made for this run.
    var newKey: String?
    /// How long; nil for no end.
    var duration: Duration?
    var isJSON = false

    /// A proxy at one address may be for this machine alone.
    private var isAnnounced: Bool { address == nil }

    init(slots: Int, port: UInt16, output: any LineOutput) {
        (self.slots, self.port, self.output) = (slots, port, output)
    }

    /// Serves until the duration is over or the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` where another program has the port.
    func run(_ identity: ProxyIdentity, on central: CentralManager, _ clock: BlueCapClock) async throws {
        if let newKey { try show(.madeKey(newKey, date(clock))) }
        try await central.requireRadio()
        let (reports, news) = AsyncStream.makeStream(
            of: ProxyReport.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let server = ProxyServer(central: central, identity: identity, key: key, slots: slots) {
            news.yield(ProxyReport($0, date(clock)))
        }
        let listener = try listener(server)
        listener.open()
        #if BlueZ
        let service = AnnouncedService(identity, port: listener.port, isEncrypted: key != nil)
        var announcement: AvahiAnnouncement?
        do {
            if isAnnounced {
                announcement = try AvahiAnnouncement(service) { news.yield(ProxyReport($0, date(clock))) }
            }
        } catch {
            news.yield(ProxyReport(AnnouncementEvent.withdrawn("\(error)"), date(clock)))
        }
        announcement?.open()
        #endif
        let systemd = SystemdNotifier { Environment.value($0) }
        let result: Result<Void, any Error>
        do {
            try show(.listening(identity, port: listener.port, isEncrypted: key != nil, date(clock)))
            systemd.send("READY=1")
            try await Race.run(
                for: duration, on: clock, { await server.run() },
                { for await report in reports { try show(report) } })
            result = .success(())
        } catch {
            result = .failure(error)
        }
        systemd.send("STOPPING=1")
        #if BlueZ
        await announcement?.stop()
        #endif
        await listener.stop()
        let counts = await server.counts
        try show(.ended(counts, date(clock)))
        try result.get()
    }

    private func listener(_ server: ProxyServer) throws(CommandFailure) -> ProxyListener {
        do throws(LoopError) {
            return try ProxyListener(server, host: address ?? "::", port: port)
        } catch {
            let place = "\(address.map { "\($0), " } ?? "")port \(port)"
            switch error.errno {
            case EADDRINUSE: throw CommandFailure(.tryAgain, "\(place): another program has it, so choose another one")
            case EADDRNOTAVAIL: throw CommandFailure(.usage, "\(place): that is no address of this machine")
            case EACCES: throw CommandFailure(.usage, "\(place): ports below 1024 are the system's")
            default: throw CommandFailure(.failed, "\(place): \(error)")
            }
        }
    }

    private func date(_ clock: BlueCapClock) -> String { JSONLine.date(clock.date) }

    private func show(_ report: ProxyReport) throws(OutputClosed) {
        if isJSON { try output.event(report) } else { try output.line(report.line) }
    }
}
#endif
