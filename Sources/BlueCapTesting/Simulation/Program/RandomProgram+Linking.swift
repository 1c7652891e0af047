// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Finding, connecting and discovering.
extension RandomProgram {
    /// The handle of a device, found by a scan where the manager does not know it.
    func peripheral(_ device: Int) async -> Peripheral? {
        let identifier = devices[device].identifier
        if let known = central.peripheral(withIdentifier: identifier) { return known }
        let central = central
        let found = await journal.call("find device \(device)", timeout: .seconds(8)) {
            () async throws(CentralManagerError) in
            try await central.firstDiscovery(
                options: ScanOptions(addressPrefix: identifier.text), timeout: .seconds(8)
            ).peripheral
        }
        return try? found.get()
    }

    @discardableResult
    func connect(
        _ peripheral: Peripheral, _ device: Int, timeout: Duration?, cancellation: Duration? = nil
    ) async -> Result<Void, PeripheralError> {
        // A reconnect policy may take longer than the timeout of one attempt.
        await journal.call("connect to device \(device)", cancellation: cancellation) {
            () async throws(PeripheralError) in
            try await peripheral.connect(timeout: timeout)
        }
    }

    @discardableResult
    func discover(_ peripheral: Peripheral, _ device: Int) async -> Result<Void, PeripheralError> {
        await journal.call("discover device \(device)", link: peripheral.identifier, timeout: .seconds(8)) {
            () async throws(PeripheralError) in
            try await peripheral.discover(timeout: .seconds(8))
        }
    }

    /// A device with a link.
    func linked(_ device: Int) async -> Peripheral? {
        guard let peripheral = await peripheral(device) else { return nil }
        if !peripheral.isConnected { await connect(peripheral, device, timeout: .seconds(6)) }
        return peripheral.isConnected ? peripheral : nil
    }

    /// A characteristic of a device that is connected to and discovered for it.
    func characteristic(_ uuid: BluetoothUUID, of device: Int) async -> Characteristic? {
        guard let peripheral = await linked(device) else { return nil }
        if let known = usable(uuid, of: peripheral) { return known }
        await discover(peripheral, device)
        return usable(uuid, of: peripheral)
    }

    /// A handle that stands for something: handles of an earlier link do not.
    private func usable(_ uuid: BluetoothUUID, of peripheral: Peripheral) -> Characteristic? {
        guard let found = try? peripheral.characteristic(uuid) else { return nil }
        return watch.isDiscovered(.init(peripheral: peripheral.identifier, attribute: found.id)) ? found : nil
    }

    func disconnect(_ device: Int) async {
        guard let peripheral = central.peripheral(withIdentifier: devices[device].identifier) else { return }
        _ = await journal.call("disconnect device \(device)") { () async throws(PeripheralError) in
            await peripheral.disconnect()
        }
    }

    func forget(_ device: Int) async {
        guard let peripheral = central.peripheral(withIdentifier: devices[device].identifier) else { return }
        _ = await journal.call("forget device \(device)") { () async throws(PeripheralError) in
            await peripheral.terminate()
        }
    }

    func resetCentral() async {
        let central = central
        _ = await journal.call("reset the central manager") { () async throws(CentralManagerError) in
            await central.reset()
        }
    }

    func scan(_ duration: Duration) async {
        let central = central
        _ = await journal.call("scan", timeout: duration) { () async throws(CentralManagerError) in
            var count = 0
            for try await _ in central.scan(options: ScanOptions(allowsDuplicates: true), timeout: duration) {
                count += 1
            }
            return count
        }
    }

    func measure(_ device: Int) async {
        guard let peripheral = await linked(device) else { return }
        _ = await journal.call("measure device \(device)", link: peripheral.identifier, timeout: .seconds(5)) {
            () async throws(PeripheralError) in
            try await peripheral.readRSSI(timeout: .seconds(5))
        }
    }
}
