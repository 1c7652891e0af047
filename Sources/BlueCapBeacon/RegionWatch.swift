// SPDX-License-Identifier: MIT

/// Decides whether a device is in a region, by the times when devices were heard.
struct RegionWatch {
    /// How long an exit is put off while an absence does not show. BlueZ needs 13 seconds for that after bluetoothd was
    /// killed; CoreBluetooth reports a device once for as long as the app is in the background.
    private static let longestHiding = Duration.seconds(15)

    private let entryRSSI: Int?
    private let exitDelay: Duration
    private(set) var state: RegionState?
    /// The time since which the radio listens.
    private var listeningSince: Duration?
    /// The time since then when a device of the region was heard last, however weak.
    private var lastHeard: Duration?
    /// The time since which an absence does not show.
    private var hiddenSince: Duration?

    init(_ region: DiscoveryRegion) {
        entryRSSI = region.entryRSSI
        exitDelay = region.exitDelay
    }

    /// The time when ``check(at:)`` may have a new state, unless a device of the region is heard before.
    var deadline: Duration? {
        switch state {
        case .start, .unknown: listeningSince.map { $0 + exitDelay }
        case .inside: lastHeard.map { $0 + exitDelay }
        case .outside, nil: nil
        }
    }

    // Each of these returns the new state, if there is one.

    mutating func start() -> RegionState? { change(to: .start, if: state == nil) }

    mutating func radioOn(at now: Duration) -> RegionState? {
        listeningSince = now
        return nil
    }

    mutating func radioOff() -> RegionState? {
        listeningSince = nil
        lastHeard = nil
        return change(to: .unknown, if: state != .unknown)
    }

    mutating func heard(rssi: Int?, at now: Duration) -> RegionState? {
        lastHeard = now
        hiddenSince = nil
        if state != .inside, let limit = entryRSSI, rssi.map({ $0 < limit }) ?? true { return nil }
        return change(to: .inside, if: state != .inside)
    }

    /// Time has passed.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - start: The time since which an absence shows, before which a device may have been there unheard; nil while
    ///     it does not show, which puts an exit off for ``longestHiding`` at the most.
    mutating func check(at now: Duration, absencesShowSince start: Duration? = .zero) -> RegionState? {
        guard let deadline, deadline <= now else { return nil }
        if start != nil { hiddenSince = nil } else { hiddenSince = hiddenSince ?? now }
        let isHidden = hiddenSince.map { now - $0 < Self.longestHiding } ?? false
        let start = start ?? (isHidden ? now : .zero)
        if start + exitDelay > now {
            if state == .inside { lastHeard = start } else { listeningSince = start }
            return nil
        }
        return change(to: .outside, if: true)
    }

    private mutating func change(to new: RegionState, if isNews: Bool) -> RegionState? {
        guard isNews else { return nil }
        state = new
        return new
    }
}

/// The presence of beacons, or of other devices, in a region.
public enum RegionState: String, Sendable, Hashable, Codable {
    /// Monitoring has begun, and the state is not known yet.
    case start
    /// The state is not known, because the radio went off.
    case unknown
    /// At least one device of the region is heard.
    case inside
    /// No device was heard for the region's exit delay.
    case outside
}
