// SPDX-License-Identifier: MIT

import CoreBluetooth

@testable import BlueCapCoreBluetooth

extension CoreBluetoothCentralBackend {
    typealias Delegate = any CBCentralManagerDelegate & CBPeripheralDelegate

    /// Calls the delegate with objects of the manager, as CoreBluetooth does.
    ///
    /// - Returns: Nil if the radio is not on.
    @discardableResult
    func call<Value: Sendable>(_ body: @Sendable (Delegate, CBCentralManager) -> Value) -> Value? {
        guard let delegate, let manager = radio.poweredOn else { return nil }
        return body(delegate, manager)
    }

    /// Whether CoreBluetooth's manager scans.
    var isPlatformScanning: Bool { radio.poweredOn?.isScanning ?? false }
}

extension CoreBluetoothPeripheralBackend {
    /// Calls the delegate with objects of the manager, as CoreBluetooth does.
    ///
    /// - Returns: Nil if the radio is not on.
    @discardableResult
    func call<Value: Sendable>(
        _ body: @Sendable (any CBPeripheralManagerDelegate, CBPeripheralManager) -> Value
    ) -> Value? {
        guard let delegate, let manager = radio.poweredOn else { return nil }
        return body(delegate, manager)
    }
}
