// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
/// A part of a value: its text, and its number and unit if it is one.
///
/// A program that keeps the parts of values by their names has all of them in each value, also those that the value
/// lacks, and knows which are numbers before it sees the first one.
public struct TextPart: Sendable, Hashable {
    /// The name under which the text stands.
    public let name: String
    /// The text; nil where the value lacks the part, or has no text for a part that is not known.
    public let text: String?
    /// A Boolean value that is true if the value has the part, be it known or not.
    public let isPresent: Bool
    /// A Boolean value that is true if the part is a number, also where the value lacks it or says that it is not
    /// known.
    public let isNumber: Bool
    /// The unit in this value, such as "kg"; nil for a part without a unit.
    public let unit: String?

    /// Creates a part that is a text.
    ///
    /// - Parameters:
    ///   - name: The name under which the text stands.
    ///   - text: The text; nil if the value lacks the part.
    public init(_ name: String, text: String?) {
        self.init(name, text, isPresent: text != nil, isNumber: false, unit: nil)
    }

    /// Creates a part that is a number.
    ///
    /// - Parameters:
    ///   - name: The name under which the text stands.
    ///   - text: The digits, or a word such as "unknown" if the number is not known; nil if the value lacks the part.
    ///   - unit: The unit of the number; nil for a bare number.
    public init(_ name: String, number text: String?, unit: String? = nil) {
        self.init(name, text, isPresent: text != nil, isNumber: true, unit: unit)
    }

    package init(_ name: String, _ text: String?, isPresent: Bool, isNumber: Bool, unit: String?) {
        (self.name, self.text) = (name, text)
        (self.isPresent, self.isNumber, self.unit) = (isPresent, isNumber, unit)
    }

    /// Creates a part of which nothing but its text is declared: it is a number if it has a unit, or its text is one.
    init(undeclared name: String, text: String?, unit: String?) {
        let isNumber = unit != nil || text.flatMap { Double($0) }?.isFinite == true
        self.init(name, text, isPresent: text != nil, isNumber: isNumber, unit: unit)
    }

    /// The number at the beginning of the text, such as 254 of "254 or more"; nil where the number is not known, and
    /// for a part that is none.
    public var number: Double? {
        guard isNumber, let text else { return nil }
        guard let number = Double(String(text.prefix { $0 != " " })), number.isFinite else { return nil }
        return number
    }
}

#endif

/// A type whose text is a number, or a word for a number that is not known.
package protocol NumberInText {}

extension Int: NumberInText {}
extension Int8: NumberInText {}
extension Int16: NumberInText {}
extension Int32: NumberInText {}
extension Int64: NumberInText {}
extension UInt: NumberInText {}
extension UInt8: NumberInText {}
extension UInt16: NumberInText {}
extension UInt32: NumberInText {}
extension UInt64: NumberInText {}
extension Int24: NumberInText {}
extension Int48: NumberInText {}
extension UInt24: NumberInText {}
extension UInt40: NumberInText {}
extension UInt48: NumberInText {}
extension Float: NumberInText {}
extension Double: NumberInText {}
extension SFloat: NumberInText {}
extension MedFloat: NumberInText {}
