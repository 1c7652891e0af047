// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop

/// The monitors of an adapter for the passive scans of this process's managers. Loop only, like its session.
final class PassiveMonitors {
    /// A report to the manager that scans.
    enum Event {
        case found(String)
        case lost(String)
        /// The monitor is registered again, and will find again the devices that it has found.
        case begunAgain
        case refused(BackendFailure)
    }

    /// An event of the monitors of a mode.
    struct Report {
        let mode: ScanMode
        let event: Event
    }

    private struct Key: Hashable {
        let manager: UInt64
        let mode: ScanMode
    }

    private struct Entry {
        let registration: MonitorRegistration
        let count: Int
        let handle: (Event) -> Void
    }

    /// The most monitors of an adapter, as the kernel counts them.
    private static let limit = 32
    /// The types that bluetoothd does not compare as they are in the packet: without their UUID, or not at all
    /// (`bt_ad_pattern_match` in `src/shared/ad.c`; seen with 5.66).
    private static let serviceData: Set<UInt8> = [0x16, 0x20, 0x21]
    /// The time after which a monitor that the daemon has dropped is registered again.
    private static let pause = Duration.seconds(1)

    // The callers hold the session.
    private unowned let session: BlueZSession
    private let adapter: String
    private var entries: [Key: Entry] = [:]
    private var number = 0

    init(session: BlueZSession, adapter: String) { (self.session, self.adapter) = (session, adapter) }

    /// Sets the passive scans of a manager; `handle` is not called from inside.
    func set(_ modes: Set<ScanMode>, for manager: UInt64, _ handle: @escaping (Report) -> Void) {
        for (key, entry) in entries where key.manager == manager && !modes.contains(key.mode) {
            entries[key] = nil
            entry.registration.end()
        }
        for mode in modes {
            let key = Key(manager: manager, mode: mode)
            if entries[key] == nil { begin(key) { handle(Report(mode: mode, event: $0)) } }
        }
    }

    /// The daemon is gone, and its monitors with it.
    func reset() {
        let ended = entries.values
        entries = [:]
        for entry in ended { entry.registration.end() }
    }

    private func begin(_ key: Key, _ handle: @escaping (Event) -> Void) {
        guard case .passive(let patterns, let signal) = key.mode else { return }
        guard session.monitorFeatures(of: adapter) != nil else { return refuse(.withoutMonitors, handle) }
        if patterns.contains(where: { Self.serviceData.contains($0.type) }) { return refuse(.serviceData, handle) }
        let monitors = stride(from: 0, to: patterns.count, by: MonitorRegistration.patternLimit).map { start in
            let part = patterns.dropFirst(start).prefix(MonitorRegistration.patternLimit)
            return MonitorRegistration.Monitor(name: "patterns\(start)", patterns: Array(part), signal: signal)
        }
        guard entries.values.reduce(monitors.count, { $0 + $1.count }) <= Self.limit else {
            return refuse(.tooManyMonitors, handle)
        }
        number += 1
        let registration = MonitorRegistration(
            session: session, adapter: adapter, root: "/org/bluecap/passive/\(BlueZPath.name(of: adapter))/\(number)",
            monitors: monitors
        ) { [weak self] in self?.take($0, of: key) }
        entries[key] = Entry(registration: registration, count: monitors.count, handle: handle)
        registration.begin()
    }

    private func refuse(_ failure: BackendFailure, _ handle: @escaping (Event) -> Void) {
        session.loop.runLater { handle(.refused(failure)) }
    }

    private func take(_ event: MonitorRegistration.Event, of key: Key) {
        guard let entry = entries[key] else { return }
        switch event {
        case .found(let device): entry.handle(.found(device))
        case .lost(let device): entry.handle(.lost(device))
        case .refused(let error):
            entries[key] = nil
            entry.handle(.refused(.withoutMonitor(error)))
        case .released(wasUsed: false):
            entries[key] = nil
            entry.registration.end()
            entry.handle(.refused(.tooManyMonitors))
        case .released(wasUsed: true):
            entry.registration.end()
            entry.handle(.begunAgain)
            beginLater(key)
        }
    }

    /// Registers a monitor again, unless its scan has ended by then.
    private func beginLater(_ key: Key) {
        let adapter = adapter
        session.after(Self.pause) { [weak session] in
            // Looked up again: a closure that crosses threads cannot carry an object that belongs to the loop.
            guard let session, let me = session.passiveMonitors(on: adapter), let entry = me.entries[key],
                !entry.registration.isRegistered
            else { return }
            me.entries[key] = nil
            withExtendedLifetime(session) { me.begin(key, entry.handle) }
        }
    }
}

extension BackendFailure {
    private static let advice =
        "start bluetoothd with -E, as by Experimental = true in /etc/bluetooth/main.conf, or scan in the mode active"

    fileprivate static let withoutMonitors = BackendFailure(
        name: "BlueCap.NoAdvertisementMonitors",
        message: "bluetoothd offers no advertisement monitors, which passive scans are, without -E", advice: advice)

    fileprivate static let serviceData = BackendFailure(
        name: "BlueCap.ServiceDataPattern", message: "bluetoothd does not compare service data with patterns",
        advice: "use other patterns, as AdvertisingPattern.usualFlags, and look at the sightings")

    fileprivate static let tooManyMonitors = BackendFailure(
        name: "BlueCap.MonitorRefused", message: "bluetoothd and its kernel take no further advertisement monitor",
        advice: "end other passive scans: an adapter takes 32 monitors, each of 7 patterns at most")

    fileprivate static func withoutMonitor(_ error: DBusError) -> BackendFailure {
        if case .remote(ErrorName.unknownMethod, _) = error { return withoutMonitors }
        return BlueZFailure.failure(error)
    }
}
#endif
