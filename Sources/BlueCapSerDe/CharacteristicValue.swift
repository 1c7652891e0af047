// SPDX-License-Identifier: MIT

/// The value of one kind of characteristic: its form in bytes, and the UUID under which peers offer it.
///
/// `peripheral.characteristic(Enabled.self)` takes such a type. ``RawDeserializable`` and ``RawArrayDeserializable``
/// refine it and bring the coding with them.
public protocol CharacteristicValue: ByteCodable {
    /// The UUID of the characteristic.
    static var uuid: BluetoothUUID { get }
}
