// SPDX-License-Identifier: MIT

/// One named part of a ``TextFieldCoding`` value, both ways: its text, and the part from text.
public struct TextField<Root: Sendable>: Sendable {
    /// The name under which the text stands.
    public let name: String
    /// The texts that the part can have, when they are few.
    public let allowed: [String]
    /// Whether the text may be missing.
    public let isOptional: Bool
    let text: @Sendable (Root) -> String?
    let parse: @Sendable (inout Root, String) -> Bool

    /// A part of the given name.
    ///
    /// - Parameters:
    ///   - name: The name of the part's text.
    ///   - allowed: The texts that the part can have, when they are few.
    ///   - isOptional: Whether the value can be made when the text is missing.
    ///   - text: The part as text, nil where the value has no such part.
    ///   - parse: Sets the part from text; false when the text means nothing.
    public init(
        _ name: String, allowed: [String] = [], isOptional: Bool = false,
        text: @escaping @Sendable (Root) -> String?, parse: @escaping @Sendable (inout Root, String) -> Bool
    ) {
        self.name = name
        self.allowed = allowed
        self.isOptional = isOptional
        self.text = text
        self.parse = parse
    }

    #if !hasFeature(Embedded)
    /// A number, or any other part that text describes without loss.
    public init<Part: LosslessStringConvertible & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Part> & Sendable
    ) {
        self.init(
            name, text: { $0[keyPath: path].description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// A number, or any other part that text describes without loss, which not every value has.
    public init<Part: LosslessStringConvertible & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Part?> & Sendable
    ) {
        self.init(
            name, isOptional: true, text: { $0[keyPath: path]?.description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }
    #endif
}

#if !hasFeature(Embedded)
/// A value whose form in text is a table of fields, one line for each.
///
/// ```swift
/// static let textFields: [TextField<Self>] = [
///     TextField("heartRate", \.beatsPerMinute),
///     TextField("energyExpended", \.energyExpended),  // optional: left out of the text when nil
/// ]
/// ```
public protocol TextFieldCoding: StringDeserializable {
    /// A value to start from, whose fields are then set one by one.
    init()

    /// The fields, in the order in which people read them.
    static var textFields: [TextField<Self>] { get }
}

extension TextFieldCoding {
    /// The texts of all fields that the value has.
    public var stringValue: [String: String] {
        var texts: [String: String] = [:]
        for field in Self.textFields {
            if let text = field.text(self) { texts[field.name] = text }
        }
        return texts
    }

    /// The value for the texts of its fields; nil when one that must be there is missing, or one means nothing. Names
    /// that are not a field's are passed over.
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
    /// A value to start from.
    init()
}

extension TextFieldCoding {
    /// Empty in Embedded mode.
    public var stringValue: [String: String] { [:] }

    /// Nil in Embedded mode.
    public init?(stringValue: [String: String]) { return nil }
}
#endif
