// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCap
import BlueCapESPHome
import BlueCapLoop
import BlueCapPlatform

#if Gateway
import BlueCapGateway
#endif

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
    #if Gateway
    /// Nil where none are served.
    var metrics: ServedMetrics?
    #endif

    /// A proxy at one address may be for this machine alone.
    private var isAnnounced: Bool { address == nil }

    init(slots: Int, port: UInt16, output: any LineOutput) {
        (self.slots, self.port, self.output) = (slots, port, output)
    }

    /// Serves until the duration is over, the other work ends or the task is cancelled.
    ///
    /// - Parameter other: Work of the program over the same radio, which tells the system and its user of their states.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` where another program has the port; the error of
    ///   `other`.
    func run(
        _ identity: ProxyIdentity, on central: CentralManager, _ clock: BlueCapClock,
        beside other: (@Sendable () async throws -> Void)? = nil
    ) async throws {
        if let newKey { try show(.madeKey(newKey, date(clock))) }
        try await central.requireRadio()
        let (reports, news) = AsyncStream.makeStream(
            of: ProxyReport.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let server = ProxyServer(central: central, identity: identity, key: key, slots: slots) {
            if other == nil || !$0.isOfRadio { news.yield(ProxyReport($0, of: identity.name, date(clock))) }
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
        let systemd = other == nil ? SystemdNotifier { Environment.value($0) } : nil
        let result: Result<Void, any Error>
        do {
            try show(.listening(identity, port: listener.port, isEncrypted: key != nil, date(clock)))
            #if Gateway
            if other == nil, let metrics { try show(.metrics(at: metrics.url, date(clock))) }
            #endif
            systemd?.send("READY=1")
            var works: [@Sendable () async throws -> Void] = [
                { await server.run() }, { for await report in reports { try show(report) } },
            ]
            #if Gateway
            if let metrics { works.append { try await report(server, to: metrics) } }
            // The gateway does so by itself.
            if other == nil { works.append { try await ProgramPages.giveBack(on: .continuous) } }
            #endif
            if let other { works.append(other) }
            try await Race.run(for: duration, on: clock, works)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        systemd?.send("STOPPING=1")
        #if BlueZ
        await announcement?.stop()
        #endif
        await listener.stop()
        let counts = await server.counts
        try show(.ended(counts, date(clock)))
        try result.get()
    }

    #if Gateway
    /// Reports the numbers once a second, until the task is cancelled.
    private func report(_ server: ProxyServer, to metrics: ServedMetrics) async throws {
        let meter = NumbersMeter(factory: metrics.factory, none: MetricNumbers(ProxyCounts(), ProxyLevels()))
        while true {
            meter.report(MetricNumbers(await server.counts, await server.levels))
            try await BlueCapClock.continuous.sleep(for: .seconds(1))
        }
    }
    #endif

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
