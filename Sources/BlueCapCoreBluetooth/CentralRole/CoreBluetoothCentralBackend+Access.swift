// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
public import BlueCapCore
public import CoreBluetooth

/// The objects of CoreBluetooth, for the parts of it that the backend does not use.
extension CoreBluetoothCentralBackend {
    /// Runs `body` with CoreBluetooth's manager, on the queue on which it calls back.
    ///
    /// ```swift
    /// let backend = CoreBluetoothCentralBackend()
    /// let central = CentralManager(backend: backend)
    /// …
    /// let isScanning = await backend.withCentralManager { $0.isScanning }
    /// ```
    ///
    /// The manager stays the backend's, whose delegate it has:
    ///
    /// - Use it, and all that comes from it, inside of `body` only. Call nothing there that waits.
    /// - Never set a delegate: the backend would hear nothing more.
    /// - Do not scan, stop a scan, connect or cancel a connection. `CentralManager` does that, and another call takes
    ///   the answer of its own.
    /// - A callback for a call made here finds no request: it is counted in ``CoreBluetoothStatistics/strayCallbacks``,
    ///   and its result is lost.
    ///
    /// Another library that wants a manager of its own can make one: the system shares the link of a device among all
    /// managers, of one app or several. Give it `PeerIdentifier.uuid`, and it retrieves the peripheral by that.
    ///
    /// - Parameter body: The code to run.
    /// - Returns: The result of `body`; nil while the radio is not on.
    public func withCentralManager<Value: Sendable>(_ body: @Sendable (CBCentralManager) -> Value) -> Value? {
        radio.poweredOn.map { body($0) }
    }

    /// Runs `body` with CoreBluetooth's object of a peripheral, on the queue on which it calls back.
    ///
    /// ```swift
    /// let isAllowed = await backend.withPeripheral(watch.identifier) { $0.ancsAuthorized }
    /// ```
    ///
    /// The rules of ``withCentralManager(_:)`` hold, for the attributes of the peripheral as well: read what they are,
    /// and leave reads, writes and subscriptions to `Characteristic`. Another object can stand for the peripheral after
    /// the radio was off.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the peripheral.
    ///   - body: The code to run.
    /// - Returns: The result of `body`; nil while the radio is not on, and for a peripheral that the system does not
    ///   know.
    public func withPeripheral<Value: Sendable>(
        _ identifier: PeerIdentifier, _ body: @Sendable (CBPeripheral) -> Value
    ) -> Value? {
        guard let manager = radio.poweredOn else { return nil }
        return (links[identifier]?.peripheral ?? objects.look(for: identifier, manager)).map { body($0) }
    }
}
#endif
