// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic value that is one decimal number, sent as a whole number of steps.
///
/// Every number that a peer sends is read, also one that the specification leaves out, since sensors overshoot: a
/// hygrometer in fog sends more than 100 percent. ``isInRange`` says whether the value is. Only numbers in range are
/// made from a `Double`.
///
/// ```swift
/// struct Temperature: ScaledValue {
///     typealias Step = Per100
///     static let uuid: BluetoothUUID = "2A6E"
///     static let name = "Temperature"
///     static let unit = "°C"
///     static let unknownRawValue: Int16? = .min
///     let rawValue: Int16
///     init(rawValue: Int16) { self.rawValue = rawValue }
/// }
/// ```
public protocol ScaledValue: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable
where RawType: ScalableInteger {
    /// The step in which the number is sent.
    associatedtype Step: ScaleStep

    /// The symbol of the unit; empty for a bare number.
    static var unit: String { get }

    /// The numbers that the specification allows, in ``unit``; nil when it allows all that can be sent.
    static var range: ClosedRange<Double>? { get }

    /// The number that is sent when the value is not known; nil when the specification has none.
    static var unknownRawValue: RawType? { get }

    /// The number that is sent for itself and for all above it; nil when the specification has none.
    static var boundRawValue: RawType? { get }

    /// Creates a value from the number as it is sent; every number can be.
    init(rawValue: RawType)
}

extension ScaledValue {
    /// No limits but those of the number that is sent: nil.
    public static var range: ClosedRange<Double>? { nil }

    /// No number stands for an unknown value: nil.
    public static var unknownRawValue: RawType? { nil }

    /// No number stands for those above it: nil.
    public static var boundRawValue: RawType? { nil }

    /// A central may read the value and be notified of it.
    public static var properties: CharacteristicProperties { [.read, .notify] }

    /// A central may read the value, and not write it.
    public static var permissions: AttributePermissions { .readable }

    /// The value that a peripheral offers first: not known, where that can be said.
    public static var initialValue: Bytes? { unknownRawValue.map { SerDe.serialize($0) } }

    /// The value that says that it is not known; nil when the specification has none.
    public static var unknown: Self? { unknownRawValue.map(Self.init(rawValue:)) }

    /// Creates the value nearest to a number.
    ///
    /// - Throws: `SerDeError.invalidValue(offset:)` when the number is out of ``range``, cannot be sent, or would be
    ///   taken for "not known".
    public init(_ value: Double) throws(SerDeError) {
        let scaled = try Scaled<RawType, Step>(value)
        self.init(rawValue: scaled.rawValue)
        guard self.value != nil, isInRange else { throw .invalidValue() }
    }

    /// ``unit`` under the characteristic's name; empty for a bare number.
    public static var units: [String: String] { unit.isEmpty ? [:] : [name: unit] }

    /// The number in ``unit``, or the least that it can be where ``boundRawValue`` was sent; nil when it is not known.
    public var value: Double? { scaled?.value }

    /// Whether the specification allows the number; also true for one that is not known.
    public var isInRange: Bool {
        guard let range = Self.range, let value else { return true }
        return range.contains(value)
    }

    /// The number, with the decimals that its step needs, such as "254 or more" where ``boundRawValue`` was sent, or
    /// "unknown", under the characteristic's name.
    public var stringValue: [String: String] {
        let text = UnknownText.text(of: rawValue, words: Self.words) { Self.text(of: $0) }
        return [Self.name: text]
    }

    #if !hasFeature(Embedded)
    /// The number, which an unknown value does not have.
    public var textParts: [TextPart] {
        [TextPart(Self.name, number: stringValue[Self.name], unit: Self.unit.isEmpty ? nil : Self.unit)]
    }
    #endif

    /// Creates a value from the text that stands under the characteristic's name, as ``stringValue`` has it; nil when
    /// it is missing or means nothing. As with bytes, a number out of ``range`` is taken.
    public init?(stringValue: [String: String]) {
        guard let text = stringValue[Self.name] else { return nil }
        let raw = UnknownText.number(from: text, words: Self.words) { Scaled<RawType, Step>($0)?.rawValue }
        guard let raw else { return nil }
        self.init(rawValue: raw)
    }

    private static func text(of raw: RawType) -> String { Scaled<RawType, Step>(rawValue: raw).description }

    private static var words: [(value: RawType, word: String)] {
        var words: [(value: RawType, word: String)] = []
        if let unknown = unknownRawValue { words.append((unknown, UnknownText.text)) }
        if let bound = boundRawValue { words.append((bound, "\(text(of: bound)) or more")) }
        return words
    }

    private var scaled: Scaled<RawType, Step>? {
        rawValue == Self.unknownRawValue ? nil : Scaled(rawValue: rawValue)
    }
}
