// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCap
import BlueCapCoreBluetooth
import CoreBluetooth

/// The backend over CoreBluetooth, with a call of CoreBluetooth's own that the library never makes.
struct AppleRadio {
    let backend = CoreBluetoothCentralBackend()

    /// Switches a notification on that is on, and prints whether the answer came from inside of the call (M10).
    func switchOnAgain(_ device: Peripheral, _ uuid: BluetoothUUID) async throws {
        let before = await backend.statistics.strayCallbacks
        let isFound = await backend.withPeripheral(device.identifier) { peripheral in
            let all = (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
            let found = all.first { (try? BluetoothUUID(text: $0.uuid.uuidString)) == uuid }
            guard let found else { return false }
            peripheral.setNotifyValue(true, for: found)
            return true
        }
        try expect(isFound == true, "CoreBluetooth does not know the characteristic")
        let isInside = await backend.statistics.strayCallbacks > before
        print("       CoreBluetooth answers \(isInside ? "from inside of" : "after") the call")
    }
}
#endif
