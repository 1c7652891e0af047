// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Finding, connecting and discovering.
extension RandomProgram {
    /// The handles of a device, under each of its addresses under which the manager knows it.
    func peripherals(of device: Int) -> [Peripheral] {
        devices[device].identifiers.compactMap { central.peripheral(withIdentifier: $0) }
    }

    /// The handle with the link to a device, or else the handle of its present address.
    func known(_ device: Int) -> Peripheral? {
        peripherals(of: device).first(where: \.isConnected)
            ?? central.peripheral(withIdentifier: devices[device].identifier)
    }

    /// The handle of a device, found by a scan where the manager does not know it.
    func peripheral(_ device: Int) async -> Peripheral? {
        if let known = known(device) { return known }
        let (central, identifier) = (central, devices[device].identifier)
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

    func reconnect(_ device: Int, after delay: Duration) async {
        guard let peripheral = known(device) else { return }
        // The timeout of the last attempt counts, which may have had none.
        _ = await journal.call("reconnect to device \(device)", cancellation: .seconds(20)) {
            () async throws(PeripheralError) in
            try await peripheral.reconnect(after: delay)
        }
    }

    @discardableResult
    func discover(_ peripheral: Peripheral, _ device: Int) async -> Result<Void, PeripheralError> {
        let limit = limit(.seconds(8))
        return await journal.call("discover device \(device)", link: peripheral.identifier, timeout: limit) {
            () async throws(PeripheralError) in
            try await peripheral.discover(timeout: limit)
        }
    }

    func linked(_ device: Int) async -> Peripheral? {
        guard let peripheral = await peripheral(device) else { return nil }
        if !peripheral.isConnected { await connect(peripheral, device, timeout: limit(.seconds(6))) }
        return peripheral.isConnected ? peripheral : nil
    }

    /// A characteristic of a device that is connected to and discovered for it.
    func characteristic(_ uuid: BluetoothUUID, of device: Int) async -> Characteristic? {
        guard let peripheral = await linked(device) else { return nil }
        if let known = usable(uuid, of: peripheral) { return known }
        await discover(peripheral, device)
        return usable(uuid, of: peripheral)
    }

    /// A handle of the present link; handles of an earlier link cannot be used.
    private func usable(_ uuid: BluetoothUUID, of peripheral: Peripheral) -> Characteristic? {
        guard let found = try? peripheral.characteristic(uuid) else { return nil }
        return watch.isDiscovered(.init(peripheral: peripheral.identifier, attribute: found.id)) ? found : nil
    }

    func disconnect(_ device: Int) async {
        guard let peripheral = known(device) else { return }
        _ = await journal.call("disconnect device \(device)") { () async throws(PeripheralError) in
            await peripheral.disconnect()
        }
    }

    func forget(_ device: Int) async {
        guard let peripheral = known(device) else { return }
        _ = await journal.call("forget device \(device)") { () async throws(PeripheralError) in
            await peripheral.terminate()
        }
    }

    /// Checks the manager's events against its state: a connection is not made while it stands.
    func followConnections() async {
        for await change in central.connectionEvents() {
            let identifier = change.peripheral.identifier
            let isConnected = change.event == .connected
            if !isConnected { checkThatChannelsEnded(of: change.peripheral) }
            let wasConnected = state.withLock { $0.isConnected.updateValue(isConnected, forKey: identifier) } ?? false
            if isConnected, wasConnected { journal.violate("\(identifier) was connected twice without an end between") }
        }
    }
}
