import BlueCapCore

/// A scan that goes on after the radio was off.
final class BeaconScan {
    enum Event {
        case sighted(Discovery)
        case radioOff
        /// The first part of the scan, if one was asked for, is over.
        case firstTimePassed
    }

    private let central: CentralManager
    private let options: ScanOptions
    private let firstTime: Duration?
    private var isFirstTime = true
    private var iterator: Scan.Iterator?

    /// A scan that tells when it has run for `firstTime`, from the start or since the radio came back.
    init(central: CentralManager, options: ScanOptions, firstTime: Duration? = nil) {
        self.central = central
        self.options = options
        self.firstTime = firstTime
    }

    /// What happens next; nil when nothing more will, and for a cancelled task.
    func next() async -> Event? {
        do {
            if iterator == nil {
                try await central.whenPoweredOn()
                iterator = central.scan(options: options, timeout: isFirstTime ? firstTime : nil).makeAsyncIterator()
            }
            // A copy shares its scan with the original.
            var iterator = iterator
            if let discovery = try await iterator?.next() { return .sighted(discovery) }
            return passFirstTime()
        } catch CentralManagerError.poweredOff {
            iterator = nil
            isFirstTime = true
            return Task.isCancelled ? nil : .radioOff
        } catch CentralManagerError.serviceScanTimeout {
            return passFirstTime()
        } catch {
            return nil
        }
    }

    private func passFirstTime() -> Event? {
        guard firstTime != nil, isFirstTime, !Task.isCancelled else { return nil }
        isFirstTime = false
        iterator = nil
        return .firstTimePassed
    }
}

/// The beacons of a region that are heard.
struct RangedBeacons {
    private struct Key: Hashable {
        var major: UInt16
        var minor: UInt16
    }
    private struct Entry {
        var beacon: Beacon
        var filter: RSSIFilter
    }
    private var entries: [Key: Entry] = [:]
    /// Whether one went since the list was last taken.
    private(set) var hasLost = false

    /// Takes what was heard into account; false when it concerns no beacon of the region.
    mutating func apply(_ event: BeaconScan.Event, region: BeaconRegion) -> Bool {
        guard case .sighted(let discovery) = event else {
            hasLost = !entries.isEmpty
            entries = [:]
            return hasLost
        }
        guard let frame = IBeacon(discovery.advertisements), region.contains(frame) else { return false }
        let key = Key(major: frame.major, minor: frame.minor)
        if discovery.kind == .lost {
            // An older address of a beacon that has changed it is lost, not the beacon.
            guard entries[key]?.beacon.peripheral == discovery.peripheral.identifier else { return false }
            entries[key] = nil
            hasLost = true
            return true
        }
        var filter = entries[key]?.filter ?? RSSIFilter()
        if let rssi = discovery.rssi { filter.add(rssi) }
        let beacon = Beacon(
            proximityUUID: frame.proximityUUID, major: frame.major, minor: frame.minor,
            measuredPower: frame.measuredPower, peripheral: discovery.peripheral.identifier,
            discoveredAt: entries[key]?.beacon.discoveredAt ?? discovery.date, date: discovery.date, rssi: filter.value)
        entries[key] = Entry(beacon: beacon, filter: filter)
        return true
    }

    /// The beacons, nearest first; those without a signal strength last.
    mutating func take() -> [Beacon] {
        hasLost = false
        return entries.values.map(\.beacon).sorted { left, right in
            let (first, second) = (left.accuracy ?? .infinity, right.accuracy ?? .infinity)
            return first != second ? first < second : (left.major, left.minor) < (right.major, right.minor)
        }
    }
}

/// Whether one is in a region.
struct RegionWatch {
    let region: BeaconRegion
    private var state: RegionState?
    private var heard: Set<PeripheralIdentifier> = []

    init(region: BeaconRegion) { self.region = region }

    mutating func start() -> RegionState? { change(to: .start, if: state == nil) }

    /// The new state, if there is one.
    mutating func apply(_ event: BeaconScan.Event) -> RegionState? {
        let discovery: Discovery
        switch event {
        case .sighted(let sighting): discovery = sighting
        case .radioOff:
            heard = []
            return change(to: .unknown, if: state != .unknown)
        case .firstTimePassed:
            heard = []
            return change(to: .outside, if: state == .start || state == .unknown)
        }
        guard let frame = IBeacon(discovery.advertisements), region.contains(frame) else { return nil }
        if discovery.kind == .lost {
            heard.remove(discovery.peripheral.identifier)
            return change(to: .outside, if: heard.isEmpty && state == .inside)
        }
        heard.insert(discovery.peripheral.identifier)
        if state != .inside, let limit = region.entryRSSI, discovery.rssi.map({ $0 < limit }) ?? true { return nil }
        return change(to: .inside, if: state != .inside)
    }

    private mutating func change(to new: RegionState, if isNews: Bool) -> RegionState? {
        guard isNews else { return nil }
        state = new
        return new
    }
}
