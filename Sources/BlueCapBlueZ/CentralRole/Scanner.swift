// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapKernel

/// The scan of a backend, by BlueZ's discovery, merged with that of the process's other managers. Loop only.
final class Scanner {
    typealias Backend = BlueZCentralBackend

    /// Whether BlueZ may leave out devices without the services that are scanned for.
    private let passesServices: Bool
    /// Whether a scan runs that is not passive.
    private var isScanning = false
    /// The adapter of the passive scans; nil for none.
    private var passiveAdapter: String?
    /// The devices that the passive scans of a mode have found.
    private var found: [ScanMode: Set<String>] = [:]
    /// Whether the discovery does not run yet: a monitor hears devices in its place, and one that sends the same is
    /// reported once, or nobody hears them.
    private var isDelayed = false
    /// The adapter whose packets are asked for from the kernel; nil for none.
    private var packetAdapter: String?
    /// When the last packet came from the kernel, so that the daemon's reports are not sightings; nil while none does.
    private var lastPacket: Duration?
    /// Where the daemon hears devices and the kernel reports no packet for this time, packets were lost on their way.
    private static let patience = Duration.seconds(10)

    init(passesServices: Bool) { self.passesServices = passesServices }

    func scan(_ request: ScanRequest?, _ backend: isolated Backend) {
        guard let adapter = backend.adapter, backend.state == .poweredOn,
            let discovery = backend.session?.discovery(on: adapter)
        else { return }
        scanPassively(request?.modes.filter(\.isPassive) ?? [], on: adapter, backend)
        let request = request?.isPassive == false ? request : nil
        isScanning = request != nil
        if !isScanning { setDelayed(false, backend) }
        hearPackets(of: request?.modes.contains(.everyPacket) == true ? adapter : nil, backend)
        discovery.set(
            request, for: backend.number, passingServices: passesServices,
            delayed: backend.callback { $0.scanner.setDelayed($0.scanner.isScanning, $0) },
            started: backend.callback { $0.scanner.started($0) },
            failed: backend.callback { $0.scanner.failed($1, $0) })
    }

    /// Ends the scan of a backend that is released.
    func end(_ backend: isolated Backend) {
        if isScanning, let adapter = backend.adapter {
            backend.session?.discovery(on: adapter).set(nil, for: backend.number)
        }
        hearPackets(of: nil, backend)
        endPassive(backend)
        isScanning = false
    }

    /// The radio is off.
    func reset(_ backend: isolated Backend) {
        isScanning = false
        endPassive(backend)
        setDelayed(false, backend)
        hearPackets(of: nil, backend)
    }

    private func setDelayed(_ isDelayed: Bool, _ backend: isolated Backend) {
        if isDelayed == self.isDelayed { return }
        self.isDelayed = isDelayed
        backend.emit(.sightingsCoalesced(isDelayed))
    }

    private func started(_ backend: isolated Backend) {
        setDelayed(false, backend)
        sightAll(backend)
    }

    private func failed(_ error: DBusError, _ backend: isolated Backend) {
        isScanning = false
        hearPackets(of: nil, backend)
        setDelayed(false, backend)
        if case .remote(BlueZError.notReady, _) = error { return backend.emit(.scanFailed(.poweredOff)) }
        backend.emit(.scanFailed(.backend(BlueZFailure.failure(error))))
    }

    // MARK: Sightings

    /// Reports the devices of a discovery that runs already, maybe of another program: they are not announced again.
    private func sightAll(_ backend: isolated Backend) {
        guard isScanning, let session = backend.session, let adapter = backend.adapter else { return }
        for path in session.tree.children(of: adapter, with: BlueZInterface.device) { sight(path, backend) }
    }

    /// Reports a device that a running discovery has received. BlueZ removes the RSSI when discovery ends, so a device
    /// that it only remembers is not reported.
    func sight(_ path: String, _ backend: isolated Backend) {
        guard isScanning || !found.isEmpty, let session = backend.session, let device = session.tree.number(of: path),
            let (adapter, sighting) = session.tree.sighting(of: device)
        else { return }
        sighted(device, below: adapter, sighting, backend)
    }

    /// Reports a sighting of a device, by its number in the mirror, if it is one of the backend's adapter.
    func sighted(_ device: Int, below adapter: String, _ sighting: Sighting, _ backend: isolated Backend) {
        guard isScanning || !found.isEmpty, adapter == backend.adapter else { return }
        let sighting = identified(sighting, of: device, backend)
        if isScanning, !hearsPackets(backend) { backend.emit(.sighted(sighting)) }
        if found.isEmpty { return }
        guard let path = backend.session?.tree.path(of: device) else { return }
        // A monitor without signal thresholds tells each packet itself.
        for (mode, devices) in found where devices.contains(path) && mode.hasSignal {
            backend.emit(.matched(sighting, mode))
        }
    }

    private func identified(_ sighting: Sighting, of device: Int, _ backend: isolated Backend) -> Sighting {
        var sighting = sighting
        if let identifier = backend.learnedIdentifier(of: device), identifier != sighting.peripheral {
            // BlueZ has the identity by now, and its type.
            (sighting.peripheral, sighting.hasRandomAddress) = (identifier, nil)
        }
        return sighting
    }

    /// Reports a device if the changed properties came from a packet.
    func sight(_ path: String, after set: ObjectMirror.Properties, _ backend: isolated Backend) {
        guard isScanning || !found.isEmpty else { return }
        let names = set.names
        let isNews =
            names.contains(where: Self.packetProperties.contains)
            || names.contains(where: Self.sharedProperties.contains) && !backend.isUp(path)
        if isNews { sight(path, backend) }
    }

    // MARK: Passive scans

    private func scanPassively(_ modes: Set<ScanMode>, on adapter: String, _ backend: isolated Backend) {
        if modes.isEmpty, passiveAdapter == nil { return }
        passiveAdapter = modes.isEmpty ? nil : adapter
        found = found.filter { modes.contains($0.key) }
        backend.session?.scanPassively(
            on: adapter, modes, for: backend.number, backend.callback { $0.scanner.take($1, $0) })
    }

    private func endPassive(_ backend: isolated Backend) {
        found = [:]
        guard let adapter = passiveAdapter else { return }
        passiveAdapter = nil
        backend.session?.scanPassively(on: adapter, [], for: backend.number)
    }

    private func take(_ report: PassiveMonitors.Report, _ backend: isolated Backend) {
        guard passiveAdapter != nil, let session = backend.session else { return }
        let mode = report.mode
        switch report.event {
        case .found(let path):
            found[mode, default: []].insert(path)
            guard let device = session.tree.number(of: path), let seen = session.tree.sighting(of: device) else {
                return
            }
            backend.emit(.matched(identified(seen.sighting, of: device, backend), mode))
        case .lost(let path):
            if found[mode]?.remove(path) != nil { lost(path, mode, backend) }
        case .begunAgain:
            let devices = found.removeValue(forKey: mode) ?? []
            // It tells no loss of those that it found before.
            if mode.hasSignal { for path in devices { lost(path, mode, backend) } }
        case .refused(let failure):
            found[mode] = nil
            backend.emit(.scanModeRefused(mode, failure))
        }
    }

    private func lost(_ path: String, _ mode: ScanMode, _ backend: isolated Backend) {
        if let identifier = backend.identifier(of: path) { backend.emit(.matchLost(identifier, mode)) }
    }

    /// BlueZ forgets a device, as it does some time after the last packet. Its monitors tell no loss of it then.
    func removed(_ path: String, _ identifier: PeerIdentifier?, _ backend: isolated Backend) {
        for mode in found.keys where found[mode]?.remove(path) != nil {
            if let identifier { backend.emit(.matchLost(identifier, mode)) }
        }
    }

    // MARK: Every packet

    /// Asks for the packets of an adapter; nil for none. An adapter that is gone is not the backend's any more.
    private func hearPackets(of adapter: String?, _ backend: isolated Backend) {
        if let old = packetAdapter, old != adapter {
            lastPacket = nil
            backend.session?.hearPackets(on: old, for: backend.number, nil)
        }
        packetAdapter = adapter
        guard let adapter else { return }
        backend.session?.hearPackets(on: adapter, for: backend.number, backend.callback { $0.scanner.heard($1, $0) })
    }

    /// A daemon's report asks this, so the clock is asked only where packets have come.
    private func hearsPackets(_ backend: isolated Backend) -> Bool {
        guard let lastPacket else { return false }
        return backend.clock.elapsed - lastPacket < Self.patience
    }

    private func heard(_ event: PacketMonitor.Event, _ backend: isolated Backend) {
        guard packetAdapter != nil else { return }
        switch event {
        case .hears: lastPacket = backend.clock.elapsed
        case .isDeaf: lastPacket = nil
        case .failed(let error):
            (lastPacket, packetAdapter) = (nil, nil)
            // A socket that cannot be opened fails inside the command.
            backend.later { $0.emit(.scanModeRefused(.everyPacket, BackendFailure(error))) }
        case .received(let packet):
            lastPacket = backend.clock.elapsed
            let address = PeerIdentifier(packet.address)
            var sighting = Sighting(
                peripheral: backend.identifier(at: address), name: backend.name(at: address),
                advertisements: PeripheralAdvertisements(packets: [packet.data]), rssi: packet.rssi)
            if sighting.peripheral == address { sighting.hasRandomAddress = packet.isRandom }
            backend.emit(.sighted(sighting))
        }
    }

    private static let packetProperties = Set(Device1.ofPackets)
    /// The properties of packets that connecting sets, too.
    private static let sharedProperties: Set<String> = [Device1.name.name, Device1.uuids.name, Device1.appearance.name]
}
#endif
