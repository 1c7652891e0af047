// SPDX-License-Identifier: MIT

import BlueCapSerDe

// Beacons send UUIDs in the order of their text, not in that of the Attribute Protocol.
extension ByteReader {
    mutating func readBigEndianUUID() throws(SerDeError) -> BluetoothUUID {
        let high = try read(UInt64.self, .bigEndian)
        return BluetoothUUID(high: high, low: try read(UInt64.self, .bigEndian))
    }
}

extension OutputRawSpan {
    @_lifetime(self: copy self)
    mutating func writeBigEndian(_ uuid: BluetoothUUID) {
        for byte in uuid.fullLittleEndianBytes.reversed() { write(byte) }
    }
}
