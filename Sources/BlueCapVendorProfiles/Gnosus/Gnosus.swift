// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The example services of gnos.us.
///
/// All of them stand on the base UUID `2F0Axxxx-69AA-F316-3E78-4194989A6C1A`; numbers are little-endian.
public enum Gnosus {
    /// The tag under which the services are grouped.
    public static let tag = "gnos.us"

    /// The 128-bit UUID for a 16-bit number on the base UUID.
    static func uuid(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x2f0a_0000_69aa_f316 | UInt64(number) << 32, low: 0x3e78_4194_989a_6c1a)
    }
}
