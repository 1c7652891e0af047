// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The profile of a characteristic whose value is a text: one field, under the characteristic's name.
///
/// ```swift
/// let profile = StringCharacteristicProfile<SerialNumber>()
/// profile.stringValue(SerDe.serialize("AAA11"))                     // ["Device Serial Number": "AAA11"]
/// ```
public struct StringCharacteristicProfile<Configuration: CharacteristicConfigurable>: CharacteristicProfileProtocol {
    public let profile: CharacteristicProfile
    /// The encoding of the text.
    public let encoding: TextEncoding

    /// Creates the profile as the type declares it, including its initial value.
    ///
    /// - Parameter encoding: The encoding of the text; UTF-8, as in the definitions of the Bluetooth SIG, unless the
    ///   characteristic's definition names another encoding.
    public init(encoding: TextEncoding = .utf8) {
        self.encoding = encoding
        profile = CharacteristicProfile(
            Configuration.self, stringValues: [],
            coding: TextCoding(
                text: { (bytes: Bytes) throws(SerDeError) -> [String: String] in
                    [Configuration.name: try SerDe.deserialize(bytes, encoding: encoding)]
                },
                parts: { (bytes: Bytes) throws(SerDeError) -> [TextPart] in
                    [TextPart(Configuration.name, text: try SerDe.deserialize(bytes, encoding: encoding))]
                },
                bytes: { $0[Configuration.name].flatMap { SerDe.serialize($0, encoding: encoding) } }))
    }

    /// Returns the text of some bytes.
    ///
    /// - Throws: `SerDeError` if the bytes are not text in the encoding.
    public func decode(_ bytes: Bytes) throws(SerDeError) -> String { try SerDe.deserialize(bytes, encoding: encoding) }

    /// Returns the bytes of a text; nil if the encoding lacks one of its characters.
    public func encode(_ text: String) -> Bytes? { SerDe.serialize(text, encoding: encoding) }
}
