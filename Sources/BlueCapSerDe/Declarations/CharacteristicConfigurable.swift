// SPDX-License-Identifier: MIT

/// What a characteristic is called and what may be done with it, declared once for both roles.
///
/// A central takes the name from it; a peripheral builds the attribute from it.
public protocol CharacteristicConfigurable: Sendable {
    /// The name, for people.
    static var name: String { get }

    /// The UUID.
    static var uuid: BluetoothUUID { get }

    /// Who may read and write the value; readable and writeable by default.
    static var permissions: AttributePermissions { get }

    /// What may be done with the characteristic; read, write and notify by default.
    static var properties: CharacteristicProperties { get }

    /// The value that a peripheral offers first; none by default.
    static var initialValue: Bytes? { get }
}

extension CharacteristicConfigurable {
    /// Readable and writeable.
    public static var permissions: AttributePermissions { [.readable, .writeable] }

    /// Read, write and notify.
    public static var properties: CharacteristicProperties { [.read, .write, .notify] }

    /// None.
    public static var initialValue: Bytes? { nil }
}
