// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// An AdvertisementMonitor1 of a program as the daemon tracks it (`adv_monitor_filter_rssi` in `src/adv_monitor.c` of
/// BlueZ 5.87): with thresholds in whole seconds, without them each packet is told.
final class FakeMonitor {
    private struct Track {
        var isFound = false
        var lastSeen: Int64?
        var strongSince: Int64?
        var weakSince: Int64?
    }

    private struct Thresholds {
        let high: Int
        let highTime: Int64
        let low: Int
        let lowTime: Int64
    }

    static let interface = "org.bluez.AdvertisementMonitor1"
    /// The most patterns that the daemon survives.
    private static let patternLimit = 7

    let client: String
    let root: String
    private let path: String
    private let patterns: [(start: Int, type: UInt8, content: [UInt8])]
    private let thresholds: Thresholds?
    private var tracks: [PeerIdentifier: Track] = [:]

    /// Reads the properties of a monitor; nil for one that the daemon does not take.
    init?(client: String, root: String, path: String, _ properties: [String: DBusValue]) {
        (self.client, self.root, self.path) = (client, root, path)
        patterns = (properties["Patterns"]?.arrayValue ?? []).compactMap { pattern in
            let parts = pattern.structureValue
            guard parts?.count == 3, let start = parts?[0].byteValue, let type = parts?[1].byteValue,
                let content = parts?[2].bytesValue, !content.isEmpty, Int(start) + content.count <= 31
            else { return nil }
            return (Int(start), type, content)
        }
        let strengths = ["RSSIHighThreshold", "RSSILowThreshold"].compactMap { properties[$0]?.int16Value }
        let times = ["RSSIHighTimeout", "RSSILowTimeout"].compactMap { properties[$0]?.uint16Value }
        let areThere = strengths.count == 2 && times.count == 2
        thresholds =
            areThere
            ? Thresholds(
                high: Int(strengths[0]), highTime: Int64(times[0]), low: Int(strengths[1]), lowTime: Int64(times[1]))
            : nil
        guard properties["Type"] == .string("or_patterns"), (1...Self.patternLimit).contains(patterns.count),
            strengths.isEmpty && times.isEmpty || areThere, strengths.allSatisfy({ (-127...20).contains($0) }),
            strengths == strengths.sorted(by: >), times.allSatisfy({ (1...300).contains($0) })
        else { return nil }
    }

    func matches(_ structures: [ADStructure]) -> Bool {
        structures.contains { structure in
            patterns.contains { pattern in
                pattern.type == structure.type
                    && Array(structure.data).dropFirst(pattern.start).starts(with: pattern.content)
            }
        }
    }

    func tell(_ member: String, _ body: [DBusValue] = [], by daemon: FakeDaemon) {
        daemon.tell(client, path, Self.interface, member, body)
    }

    private func tell(_ member: String, of device: PeerIdentifier, _ daemon: FakeDaemon) {
        tell(member, [.objectPath(FakeDaemon.path(of: device))], by: daemon)
    }

    /// A packet that matches was received.
    func heard(_ far: FarDevice, _ daemon: FakeDaemon) {
        guard let thresholds else { return tell("DeviceFound", of: far.address, daemon) }
        let now = daemon.clock.elapsed.components.seconds
        var track = tracks[far.address] ?? Track()
        let pause = track.lastSeen.map { now - $0 } ?? 0
        if pause > thresholds.highTime { track.strongSince = nil }
        if pause > thresholds.lowTime { track.weakSince = nil }
        track.lastSeen = now
        let isStrong = !track.isFound && far.rssi > thresholds.high
        let isWeak = track.isFound && far.rssi < thresholds.low
        track.strongSince = isStrong ? track.strongSince ?? now : nil
        track.weakSince = isWeak ? track.weakSince ?? now : nil
        if let since = track.strongSince, now - since >= thresholds.highTime {
            track.isFound = true
            tell("DeviceFound", of: far.address, daemon)
            lookLater(for: far.address, after: thresholds.lowTime, daemon)
        } else if let since = track.weakSince, now - since >= thresholds.lowTime {
            track.isFound = false
            tell("DeviceLost", of: far.address, daemon)
        }
        tracks[far.address] = track
    }

    /// Looks whether a device is silent.
    private func lookLater(for device: PeerIdentifier, after seconds: Int64, _ daemon: FakeDaemon) {
        let (root, client, path) = (root, client, path)
        _ = daemon.after(.seconds(seconds)) { daemon in
            let monitors = daemon.monitors.filter { $0.root == root && $0.client == client && $0.path == path }
            for monitor in monitors { monitor.look(for: device, daemon) }
        }
    }

    private func look(for device: PeerIdentifier, _ daemon: FakeDaemon) {
        guard let thresholds, var track = tracks[device], track.isFound, let lastSeen = track.lastSeen else { return }
        let silence = daemon.clock.elapsed.components.seconds - lastSeen
        // A clock leaps, the air does not.
        if silence < thresholds.lowTime || daemon.air.device(at: device)?.isHeard == true {
            return lookLater(for: device, after: max(thresholds.lowTime - silence, 1), daemon)
        }
        track.isFound = false
        tracks[device] = track
        tell("DeviceLost", of: device, daemon)
    }

    /// The device has no object any more.
    func forget(_ device: PeerIdentifier) { tracks[device] = nil }
}
#endif
