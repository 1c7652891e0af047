// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Values as text, by the profile: names and texts of the value's parts, hexadecimal without a profile.
extension MutableCharacteristic {
    /// The texts that the value can have, when they are few (an enumeration's cases); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// The text of the value; nil without a value, and where it is not one that the profile knows.
    public var stringValue: [String: String]? { value.flatMap { profile.stringValue($0) } }

    /// Sets the value to what a text stands for and sends it to all subscribers, as ``update(_:)-(Bytes)``.
    ///
    /// - Throws: as ``update(_:)-(Bytes)``, and `.notSerializable` when a part is missing or means nothing.
    public func update(stringValue: [String: String]) throws(MutableCharacteristicError) {
        guard let bytes = profile.bytes(fromString: stringValue) else { throw .notSerializable }
        try update(bytes)
    }
}
