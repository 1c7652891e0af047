// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension BluetoothUUID {
    /// The client characteristic configuration descriptor.
    static let clientConfiguration: BluetoothUUID = "2902"

    /// The bytes it takes in a packet: 2 or 16.
    var packetSize: Int { uint16 == nil ? 16 : 2 }
}
