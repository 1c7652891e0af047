// SPDX-License-Identifier: MIT

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
