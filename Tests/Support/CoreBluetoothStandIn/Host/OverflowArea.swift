// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

/// The services that did not fit an advertisement, which only other devices with CoreBluetooth find (B7, H2).
enum OverflowArea {
    private struct Place: Hashable {
        var radio: ObjectIdentifier
        var device: PeerIdentifier
    }

    private static let areas = Locked<[Place: [BluetoothUUID]]>([:])

    static func set(_ services: [BluetoothUUID], of device: PeerIdentifier, on radio: VirtualRadio) {
        let place = Place(radio: ObjectIdentifier(radio), device: device)
        areas.withLock { $0[place] = services.isEmpty ? nil : services }
    }

    static func services(of device: PeerIdentifier, on radio: VirtualRadio) -> [BluetoothUUID] {
        let place = Place(radio: ObjectIdentifier(radio), device: device)
        return areas.withLock { $0[place] ?? [] }
    }
}
