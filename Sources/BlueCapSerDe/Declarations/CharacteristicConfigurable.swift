// SPDX-License-Identifier: MIT

/// The name and the operations of a characteristic, declared once for both roles.
///
/// A central takes the name from it; a peripheral builds the attribute from it.
public protocol CharacteristicConfigurable: Sendable {
    /// The name, for people.
    static var name: String { get }

    /// The UUID of the attribute.
    static var uuid: BluetoothUUID { get }

    /// The conditions on which a central may read and write the value; readable and writeable by default.
    static var permissions: AttributePermissions { get }

    /// The operations that the declaration offers; read, write and notify by default.
    static var properties: CharacteristicProperties { get }

    /// The type of ``initialValue``: `Bytes` or `Bytes?`, as the value is written.
    associatedtype InitialValue: InitialCharacteristicValue = Bytes?

    /// The value that a peripheral offers first; none by default.
    ///
    /// Its type need not be written: `static let initialValue = SerDe.serialize("AAA11")` is taken as it stands.
    static var initialValue: InitialValue { get }
}

extension CharacteristicConfigurable {
    /// Readable and writeable.
    public static var permissions: AttributePermissions { [.readable, .writeable] }

    /// Read, write and notify.
    public static var properties: CharacteristicProperties { [.read, .write, .notify] }

    /// No initial value: nil.
    public static var initialValue: Bytes? { nil }
}

/// A type that ``CharacteristicConfigurable/initialValue`` can have: `Bytes`, or `Bytes?`.
///
/// It is there so that an initial value counts whether its type is written, inferred, or optional. Do not conform other
/// types.
public protocol InitialCharacteristicValue: Sendable {
    /// The bytes; nil for no initial value.
    var initialBytes: Bytes? { get }
}

extension Bytes: InitialCharacteristicValue {
    /// The bytes themselves.
    public var initialBytes: Bytes? { self }
}

extension Bytes?: InitialCharacteristicValue {
    /// The bytes, if there are any.
    public var initialBytes: Bytes? { self }
}
