// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// Discovery and sightings.
extension BlueZCentralBackend {
    /// Scans with BlueZ's discovery, merged with that of the process's other managers.
    public func scan(_ request: ScanRequest?) {
        guard let adapter, state == .poweredOn, let discovery = session?.discovery(on: adapter) else { return }
        isScanning = request != nil
        discovery.set(
            request, for: number, passingServices: passesServices,
            started: callback { $0.sightAll() },
            failed: callback { $0.scanFailed($1) })
    }

    private func scanFailed(_ error: DBusError) {
        isScanning = false
        if case .remote(BlueZError.notReady, _) = error { return emit(.scanFailed(.poweredOff)) }
        emit(.scanFailed(.backend(BlueZFailure.failure(error))))
    }

    /// Reports the devices of a discovery that runs already, maybe of another program: they are not announced again.
    private func sightAll() {
        guard isScanning, let session, let adapter else { return }
        for path in session.tree.children(of: adapter, with: BlueZInterface.device) { sight(path) }
    }

    /// Reports a device that a running discovery has received. BlueZ removes the RSSI when discovery ends, so a device
    /// that it only remembers is not reported.
    func sight(_ path: String) {
        if let object = session?.tree.number(of: path) { sight(object) }
    }

    /// The same, given the device's number in the mirror.
    func sight(_ object: Int) {
        guard isScanning, let session, let adapter else { return }
        let name = names.isEmpty ? nil : session.tree.path(of: object).flatMap(names.identifier)
        if let sighting = session.sighting(of: object, below: adapter, as: name) { emit(.sighted(sighting)) }
    }

    /// Reports a device if the changed properties came from a packet.
    func sight(_ path: String, after set: ObjectMirror.Properties) {
        guard isScanning else { return }
        let names = set.names
        let isNews =
            names.contains(where: Self.packetProperties.contains)
            || names.contains(where: Self.sharedProperties.contains) && !isUp(path)
        if isNews { sight(path) }
    }

    private static let packetProperties = Set(Device1.ofPackets)
    /// The properties of packets that connecting sets, too.
    private static let sharedProperties: Set<String> = [Device1.name.name, Device1.uuids.name, Device1.appearance.name]
}
#endif
