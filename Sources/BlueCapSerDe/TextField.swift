// SPDX-License-Identifier: MIT

/// One named part of a ``TextFieldCoding`` value, both ways: its text, and the part from text.
public struct TextField<Root: Sendable>: Sendable {
    /// The name under which the text stands.
    public let name: String
    /// The texts that the part can have, when they are few.
    public let allowed: [String]
    /// A Boolean value that is true if the text may be missing.
    public let isOptional: Bool
    /// The unit of the number in the text, such as "kJ"; nil for a part without a unit.
    public let unit: String?
    /// Whether the text is a number, or a word in the place of one; nil where nothing says so.
    let isNumber: Bool?
    /// The unit where it is part of the value.
    let unitOfValue: (@Sendable (Root) -> String?)?
    let text: @Sendable (Root) -> String?
    let parse: @Sendable (inout Root, String) -> Bool

    /// Creates a part of the given name.
    ///
    /// - Parameters:
    ///   - name: The name of the part's text.
    ///   - allowed: The texts that the part can have, when they are few.
    ///   - isOptional: Whether the value can be made when the text is missing.
    ///   - unit: The unit of the number in the text; nil for a part without a unit.
    ///   - text: The part as text, nil where the value has no such part.
    ///   - parse: Sets the part from text; false when the text means nothing.
    public init(
        _ name: String, allowed: [String] = [], isOptional: Bool = false, unit: String? = nil,
        text: @escaping @Sendable (Root) -> String?, parse: @escaping @Sendable (inout Root, String) -> Bool
    ) {
        self.init(
            name, isNumber: allowed.isEmpty ? nil : false, allowed: allowed, isOptional: isOptional, unit: unit,
            text: text, parse: parse)
    }

    /// Creates a part of which it is known whether it is a number.
    ///
    /// - Parameters:
    ///   - name: The name of the part's text.
    ///   - isNumber: Whether the text is a number, or a word in the place of one; nil if the text itself shows it.
    ///   - allowed: The texts that the part can have, when they are few.
    ///   - isOptional: Whether the value can be made when the text is missing.
    ///   - unit: The unit of the number in the text; nil for a part without a unit.
    ///   - unitOfValue: The unit where it is part of the value.
    ///   - text: The part as text, nil where the value has no such part.
    ///   - parse: Sets the part from text; false when the text means nothing.
    package init(
        _ name: String, isNumber: Bool?, allowed: [String] = [], isOptional: Bool = false, unit: String? = nil,
        unitOfValue: (@Sendable (Root) -> String?)? = nil, text: @escaping @Sendable (Root) -> String?,
        parse: @escaping @Sendable (inout Root, String) -> Bool
    ) {
        self.name = name
        self.allowed = allowed
        self.isOptional = isOptional
        self.unit = unit
        self.isNumber = isNumber
        self.unitOfValue = unitOfValue
        self.text = text
        self.parse = parse
    }

    #if !hasFeature(Embedded)
    /// The part in a value.
    func part(of root: Root) -> TextPart {
        let text = text(root)
        let unit = unitOfValue.map { $0(root) } ?? unit
        guard let isNumber else { return TextPart(undeclared: name, text: text, unit: unit) }
        return TextPart(name, text, isPresent: text != nil, isNumber: isNumber, unit: unit)
    }
    #endif

    #if !hasFeature(Embedded)
    /// Creates a field for a number, or for any other part that text describes without loss.
    ///
    /// - Parameters:
    ///   - name: The name of the field in the text form.
    ///   - unit: The unit of the number in the text; nil for a part without a unit.
    ///   - path: The place of the part in the value.
    public init<Part: LosslessStringConvertible & Sendable>(
        _ name: String, unit: String? = nil, _ path: any WritableKeyPath<Root, Part> & Sendable
    ) {
        self.init(
            name, isNumber: Part.self is any NumberInText.Type, unit: unit, text: { $0[keyPath: path].description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// Creates a field for a number, or for any other part that text describes without loss, which not every value has.
    ///
    /// - Parameters:
    ///   - name: The name of the field in the text form.
    ///   - unit: The unit of the number in the text; nil for a part without a unit.
    ///   - path: The place of the part in the value, nil where the value lacks it.
    public init<Part: LosslessStringConvertible & Sendable>(
        _ name: String, unit: String? = nil, _ path: any WritableKeyPath<Root, Part?> & Sendable
    ) {
        self.init(
            name, isNumber: Part.self is any NumberInText.Type, isOptional: true, unit: unit,
            text: { $0[keyPath: path]?.description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }
    #endif
}
