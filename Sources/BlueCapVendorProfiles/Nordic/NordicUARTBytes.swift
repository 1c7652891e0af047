// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Bytes on their way through the ``Nordic/UARTService``.
public protocol NordicUARTBytes: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
    /// The bytes as they are sent.
    var rawValue: Bytes { get }

    /// Creates a value of any bytes.
    init(rawValue: Bytes)
}

extension NordicUARTBytes {
    /// Creates the bytes of a text in UTF-8.
    public init(_ text: String) { self.init(rawValue: Bytes(text.utf8)) }

    /// The bytes as text; nil when they are not UTF-8, which also happens when a character was cut by the MTU.
    public var text: String? { String(validating: rawValue, as: UTF8.self) }

    /// The text, `text`, when the bytes are one, and the bytes in hexadecimal, `hex`.
    public var stringValue: [String: String] {
        var texts = ["hex": rawValue.hex]
        texts["text"] = text
        return texts
    }

    #if !hasFeature(Embedded)
    /// The bytes in hexadecimal, and the text, which has no words where the bytes are none.
    public var textParts: [TextPart] {
        [
            TextPart("hex", text: rawValue.hex),
            TextPart("text", text, isPresent: true, isNumber: false, unit: nil),
        ]
    }
    #endif

    /// Creates the bytes from `hex`, or else from `text`; nil when both are missing or `hex` is not hexadecimal.
    public init?(stringValue: [String: String]) {
        if let hex = stringValue["hex"] {
            do throws(Bytes.HexError) { self.init(rawValue: try Bytes(hex: hex)) } catch { return nil }
        } else if let text = stringValue["text"] {
            self.init(text)
        } else {
            return nil
        }
    }
}
