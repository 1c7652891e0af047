// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// Has the daemon report devices of an adapter while the kernel refuses it a discovery, because it goes on with that of
/// a `bluetoothd` that was killed.
///
/// The kernel hands the packets of the old discovery to the new daemon, which drops them unless they match an
/// `AdvertisementMonitor1` (`btd_adapter_device_found` in `src/adapter.c` of BlueZ 5.87). It has monitors with `-E`
/// only. A daemon without a discovery reports a device when its data change, or its signal strength by 8 dB.
// Loop only, like its session.
final class AdvertisementMonitor {
    private weak var session: BlueZSession?
    private let adapter: String
    /// The number of registrations so far.
    private var number = 0
    private var registration: MonitorRegistration?
    private var isRefused = false
    var isRegistered: Bool { registration != nil }

    init(session: BlueZSession, adapter: String) { (self.session, self.adapter) = (session, adapter) }

    /// Registers the monitor, unless it is registered already or would be of no use.
    func begin() {
        guard !isRegistered, !isRefused, isUseful, let session else { return }
        number += 1
        let registration = MonitorRegistration(
            session: session, adapter: adapter, root: "/org/bluecap/monitor/\(BlueZPath.name(of: adapter))/\(number)",
            monitors: [MonitorRegistration.Monitor(name: "flags", patterns: AdvertisingPattern.usualFlags)]
        ) { [weak self] in self?.take($0) }
        registration.begin()
        if registration.isRegistered { self.registration = registration }
    }

    private func take(_ event: MonitorRegistration.Event) {
        switch event {
        case .refused: isRefused = true
        case .released(let wasUsed): isRefused = !wasUsed
        // The mirror reports the devices, like those of a discovery.
        case .found, .lost: return
        }
        end()
    }

    /// Whether this daemon has monitors that match packets themselves. It leaves that to a controller that can, whose
    /// kernel then reports a device once in a discovery.
    private var isUseful: Bool {
        guard let session, let features = session.monitorFeatures(of: adapter) else { return false }
        return !features.contains("controller-patterns")
    }

    /// The next daemon may take a monitor that this one has refused.
    func forgetRefusal() { isRefused = false }

    /// Takes the monitor back; a daemon that is gone has none.
    func end() {
        registration?.end()
        registration = nil
    }
}

extension BlueZSession {
    /// The features of an adapter's monitors; nil where there are none, or none that are safe: bluetoothd 5.56 writes
    /// to a monitor that was taken back early (`add_adv_patterns_monitor_cb` in `src/adv_monitor.c`).
    func monitorFeatures(of adapter: String) -> [String]? {
        guard let version = tree.version(ofAdapter: adapter), version > BlueZVersion(5, 56),
            let manager = tree[adapter, BlueZInterface.advertisementMonitorManager]
        else { return nil }
        return manager[AdvertisementMonitorManager1.supportedFeatures] ?? []
    }
}
#endif
