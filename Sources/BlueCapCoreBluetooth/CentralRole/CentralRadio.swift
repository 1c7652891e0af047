// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// CoreBluetooth's manager of the central role: its state, and the scan.
final class CentralRadio {
    typealias Backend = CoreBluetoothCentralBackend

    private var manager: CBCentralManager?
    private var background: AppBackground?
    /// Whether the app was in the background when it was last said; nil before.
    private(set) var isInBackground: Bool?
    private var isScanning = false
    private(set) var state = ManagerState.unknown
    let early = EarlySightings()

    /// The manager while it takes commands; it ignores them in any other state, without a callback (M1).
    var poweredOn: CBCentralManager? { manager?.state == .poweredOn && state == .poweredOn ? manager : nil }

    // MARK: Life

    /// Makes the manager. M2: this asks the user for the permission, so it is not done before the backend is used.
    func begin(_ backend: isolated Backend) {
        if let failure = backend.usageFailure {
            state = .unauthorized
            return backend.report(.stateChanged(state, failure))
        }
        var options: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: backend.options.showsPowerAlert]
        #if !(os(tvOS) || os(watchOS) || os(visionOS))
        options[CBCentralManagerOptionRestoreIdentifierKey] = backend.restoreIdentifier
        #endif
        manager = CBCentralManager(delegate: backend.delegate, queue: backend.queue, options: options)
        background = AppBackground { [weak backend] isBackground in
            backend?.later { $0.radio.appMoved(toBackground: isBackground, $0) }
        }
    }

    private func appMoved(toBackground isBackground: Bool, _ backend: isolated Backend) {
        isInBackground = isBackground
        backend.emit(.sightingsCoalesced(isBackground))
    }

    /// Takes the manager out of use. M9: CoreBluetooth has no call for that; no callback comes without a delegate.
    ///
    /// - Returns: The manager, for the end of its links.
    func end() -> CBCentralManager? {
        background?.stop()
        background = nil
        early.end()
        manager?.delegate = nil
        if isScanning, let manager = poweredOn { manager.stopScan() }
        isScanning = false
        defer { manager = nil }
        return manager
    }

    // MARK: State

    /// M4: any state but `.poweredOn` ends the scan and all links by itself, and no further callback comes for them.
    func stateChanged(_ backend: isolated Backend) {
        guard let manager else { return }
        let former = state
        state = ManagerState(manager.state)
        // Before the first state there is nothing but restored objects, which a radio that is off leaves as they are.
        if state != .poweredOn, former != .unknown || state.endsObjects && state != .unknown {
            isScanning = false
            early.end()
            backend.links.drop(backend)
            if state.endsObjects { backend.objects.drop() }
        }
        // R3: a restored scan goes on, and the program begins it again or does not want it any more.
        if let manager = poweredOn, manager.isScanning, !isScanning, !early.isOpen {
            early.begin(backend) { $0.radio.poweredOn?.stopScan() }
        }
        backend.emit(.stateChanged(state, state.failure))
    }

    // MARK: Scanning

    private static let withoutEveryPacket = BackendFailure(
        name: "CoreBluetooth.noEveryPacket", message: "CoreBluetooth does not report every packet",
        advice: "scan with allowsDuplicates, which reports most of them in the foreground")
    private static let withoutPassive = BackendFailure(
        name: "CoreBluetooth.noPassiveScan", message: "CoreBluetooth has no passive scan",
        advice: "scan in the mode active")

    /// B1: one call replaces the filter and the options of the scan before.
    func scan(_ request: ScanRequest?, _ backend: isolated Backend) {
        guard let manager = poweredOn else { return }
        guard let request else {
            isScanning = false
            early.end()
            return manager.stopScan()
        }
        isScanning = true
        for mode in request.modes where mode != .active {
            let failure = mode == .everyPacket ? Self.withoutEveryPacket : Self.withoutPassive
            backend.report(.scanModeRefused(mode, failure))
        }
        for sighting in early.take() { backend.report(.sighted(sighting)) }
        manager.scanForPeripherals(
            withServices: request.services.isEmpty ? nil : request.services.sorted().map(\.object),
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: request.allowsDuplicates])
    }

    /// A packet of a peripheral was received.
    func sighted(
        _ peripheral: CBPeripheral, _ dictionary: [String: Any], _ rssi: NSNumber, _ backend: isolated Backend
    ) {
        guard isScanning || early.isOpen else { return }
        let sighting = Sighting(
            peripheral: backend.objects.remember(peripheral),
            // B6: the name that the system knows; the advertised one is among the fields.
            name: peripheral.name, advertisements: PeripheralAdvertisements(dictionary: dictionary),
            rssi: Self.strength(rssi))
        if isScanning { backend.emit(.sighted(sighting)) } else { early.hold(sighting) }
    }

    /// B4: 127 dBm stands for a strength that was not measured.
    static func strength(_ rssi: NSNumber) -> Int? { rssi.intValue == 127 ? nil : rssi.intValue }
}
#endif
