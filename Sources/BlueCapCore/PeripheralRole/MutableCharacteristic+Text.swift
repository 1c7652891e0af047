// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Values as text, by the profile: names and texts of the value's parts, hexadecimal without a profile.
extension MutableCharacteristic {
    /// The possible texts of the value if there are few (the cases of an enumeration); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// The text of the value; nil without a value, and if the profile cannot decode it.
    public var stringValue: [String: String]? { value.flatMap { profile.stringValue($0) } }

    /// Sets the value to the value of a text and sends it to all subscribers, as ``update(_:)-(Bytes)``.
    ///
    /// - Throws: As ``update(_:)-(Bytes)``, and `.notSerializable` if a part is missing or not valid.
    public func update(stringValue: [String: String]) throws(MutableCharacteristicError) {
        guard let bytes = profile.bytes(fromString: stringValue) else { throw .notSerializable }
        try update(bytes)
    }
}
