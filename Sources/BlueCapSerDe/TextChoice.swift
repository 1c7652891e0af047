// SPDX-License-Identifier: MIT

/// An enumeration whose form in text is one field, under the characteristic's own name, with a text for each case.
///
/// ```swift
/// enum Enabled: UInt8, RawDeserializable, TextChoice {
///     static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
///     static let name = "Accelerometer Enabled"
///     case no = 0, yes = 1
///     var choice: String { self == .yes ? "Yes" : "No" }
/// }
/// ```
public protocol TextChoice: StringDeserializable, CaseIterable {
    /// The name under which the text stands.
    static var name: String { get }

    /// The case as text.
    var choice: String { get }
}

extension TextChoice {
    /// The texts of all cases, in their order.
    public static var stringValues: [String] { allCases.map { $0.choice } }

    /// The text of the case, under ``name``.
    public var stringValue: [String: String] { [Self.name: choice] }

    /// Creates the case with the text that stands under ``name``, spelled as ``stringValues`` has it.
    public init?(stringValue: [String: String]) {
        guard let text = stringValue[Self.name], let value = Self.allCases.first(where: { $0.choice == text }) else {
            return nil
        }
        self = value
    }
}
