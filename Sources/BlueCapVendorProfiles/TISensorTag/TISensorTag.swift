// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The services of Texas Instruments' SensorTag (CC2541), as its user guide and attribute table define them.
///
/// All of them stand on the base UUID `F000xxxx-0451-4000-B000-000000000000`; numbers are little-endian.
public enum TISensorTag {
    /// The tag under which the services are grouped.
    public static let tag = "TI Sensor Tag"

    /// The 128-bit UUID for a 16-bit number on the SensorTag's base UUID.
    static func uuid(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0xf000_0000_0451_4000 | UInt64(number) << 32, low: 0xb000_0000_0000_0000)
    }
}
