// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapSerDe
import CoreBluetooth
import Foundation

extension BluetoothUUID {
    /// Creates the identifier that CoreBluetooth's object stands for; nil for one of an unusable length.
    ///
    /// The objects are turned into values at once, because they are not `Sendable`, and because a short UUID and its
    /// long form need not be equal there.
    init?(_ uuid: CBUUID) {
        // The bytes of the object have the most significant one first.
        guard let uuid = try? BluetoothUUID(littleEndianBytes: Array(uuid.data.reversed())) else { return nil }
        self = uuid
    }

    /// An object for the identifier.
    ///
    /// It is made of bytes, of which there are always 2, 4 or 16: a text with an error would raise an exception.
    var object: CBUUID { CBUUID(data: Data(Array(littleEndianBytes.reversed()))) }
}
#endif
