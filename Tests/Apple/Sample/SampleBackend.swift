// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// A few lines in the shape of a backend, by which `check --self-test` shows that the gate can be red.

import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// Scans, and reports what the platform finds.
actor SampleBackend: RadioActor {
    private let queueExecutor = DispatchBackendExecutor(label: "sample")
    nonisolated var executor: any BackendExecutor { queueExecutor }
    // SAFETY: a `let` of this actor keeps the executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queueExecutor.asUnownedSerialExecutor() }

    /// The service to scan for: computed, as a CBUUID is not Sendable.
    static var service: CBUUID { CBUUID(data: Data([0x18, 0x0D])) }

    private var manager: CBCentralManager?
    private var delegate: SampleDelegate?
    private var peripherals: [UUID: CBPeripheral] = [:]
    private(set) var names: [String] = []
    private(set) var failure: String?

    func activate() {
        let delegate = SampleDelegate(self)
        self.delegate = delegate
        let options: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: false]
        manager = CBCentralManager(delegate: delegate, queue: queueExecutor.queue, options: options)
    }

    func stateChanged() {
        guard manager?.state == .poweredOn else { return }
        manager?.scanForPeripherals(
            withServices: [Self.service], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }

    func sighted(_ peripheral: CBPeripheral, _ data: [String: Any], _ rssi: NSNumber) {
        peripherals[peripheral.identifier] = peripheral
        if let name = data[CBAdvertisementDataLocalNameKey] as? String, rssi.intValue != 127 { names.append(name) }
    }

    func valueArrived(_ characteristic: CBCharacteristic, _ error: (any Error)?) -> Bytes {
        if let error = error as NSError?, error.domain == CBATTErrorDomain { failure = "ATT error \(error.code)" }
        return Bytes(characteristic.value ?? Data())
    }
}

private final class SampleDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private weak let backend: SampleBackend?

    init(_ backend: SampleBackend) { self.backend = backend }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { backend?.onExecutor { $0.stateChanged() } }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        backend?.onExecutor(with: (peripheral, advertisementData, RSSI)) { $0.sighted($1.0, $1.1, $1.2) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        _ = backend?.onExecutor(with: (characteristic, error)) { $0.valueArrived($1.0, $1.1) }
    }
}
