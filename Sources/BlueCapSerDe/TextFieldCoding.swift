// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
/// A value whose form in text is a table of fields, one line for each.
///
/// ```swift
/// static let textFields: [TextField<Self>] = [
///     TextField("heartRate", unit: "bpm", \.beatsPerMinute),
///     TextField("energyExpended", unit: "kJ", \.energyExpended),  // optional: left out of the text when nil
/// ]
/// ```
public protocol TextFieldCoding: StringDeserializable {
    /// Creates a value to start from, whose fields are then set one by one.
    init()

    /// The fields, in the order in which people read them.
    static var textFields: [TextField<Self>] { get }
}

extension TextFieldCoding {
    /// The units of the fields that have one.
    public static var units: [String: String] {
        var units: [String: String] = [:]
        for field in textFields { units[field.name] = field.unit }
        return units
    }

    /// The texts of all fields that the value has.
    public var stringValue: [String: String] {
        var texts: [String: String] = [:]
        for field in Self.textFields {
            if let text = field.text(self) { texts[field.name] = text }
        }
        return texts
    }

    /// The parts of all fields, in their order.
    public var textParts: [TextPart] { Self.textFields.map { $0.part(of: self) } }

    /// Creates the value for the texts of its fields; nil when one that must be there is missing, or one means nothing.
    /// Names that are not a field's are passed over.
    public init?(stringValue: [String: String]) {
        self.init()
        for field in Self.textFields {
            guard let text = stringValue[field.name] else {
                if field.isOptional { continue }
                return nil
            }
            guard field.parse(&self, text) else { return nil }
        }
    }
}
#else
/// A value whose form in text is a table of fields. In Embedded mode, which has no key paths, there are no fields.
public protocol TextFieldCoding: StringDeserializable {
    /// Creates a value to start from.
    init()
}

extension TextFieldCoding {
    /// An empty dictionary, because Embedded mode has no key paths.
    public var stringValue: [String: String] { [:] }

    /// Returns nil, because Embedded mode has no key paths.
    public init?(stringValue: [String: String]) { return nil }
}
#endif
