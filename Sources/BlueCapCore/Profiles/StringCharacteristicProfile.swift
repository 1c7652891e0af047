// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The profile of a characteristic whose value is a text: one field, under the characteristic's name.
///
/// ```swift
/// let profile = StringCharacteristicProfile<SerialNumber>()
/// profile.stringValue(SerDe.serialize("AAA11"))                     // ["Device Serial Number": "AAA11"]
/// ```
public struct StringCharacteristicProfile<Configuration: CharacteristicConfigurable>: CharacteristicProfileProtocol {
    /// The same without the configuration's type.
    public let profile: CharacteristicProfile
    /// How the text is put into bytes.
    public let encoding: TextEncoding

    /// The profile as the type declares it, its initial value included.
    ///
    /// - Parameter encoding: How the text is put into bytes; UTF-8 unless the characteristic's definition says
    ///   otherwise, as those of the Bluetooth SIG do.
    public init(encoding: TextEncoding = .utf8) {
        self.encoding = encoding
        profile = CharacteristicProfile(
            Configuration.self, stringValues: [],
            coding: TextCoding(
                text: { (bytes: Bytes) throws(SerDeError) -> [String: String] in
                    [Configuration.name: try SerDe.deserialize(bytes, encoding: encoding)]
                },
                bytes: { $0[Configuration.name].flatMap { SerDe.serialize($0, encoding: encoding) } }))
    }

    /// The text that some bytes stand for.
    ///
    /// - Throws: `SerDeError` when they are not text in the encoding.
    public func decode(_ bytes: Bytes) throws(SerDeError) -> String {
        try SerDe.deserialize(bytes, encoding: encoding)
    }

    /// The bytes of a text; nil when the encoding has none for one of its characters.
    public func encode(_ text: String) -> Bytes? { SerDe.serialize(text, encoding: encoding) }
}
