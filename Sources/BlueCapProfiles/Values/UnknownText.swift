// SPDX-License-Identifier: MIT

/// The text of a number of which one value says that the number is not known.
enum UnknownText {
    /// The text that stands in the number's place.
    static let text = "unknown"

    /// The text of a number, which is "unknown" for the value that says so.
    static func text<Number: Equatable>(
        of number: Number, unknown: Number?, _ describe: (Number) -> String
    ) -> String {
        number == unknown ? text : describe(number)
    }

    /// The number that a text stands for; nil when it means nothing, and for a number that would be taken for "not
    /// known".
    static func number<Number: Equatable>(
        from text: String, unknown: Number?, _ parse: (String) -> Number?
    ) -> Number? {
        guard let unknown else { return parse(text) }
        if text == Self.text { return unknown }
        guard let number = parse(text), number != unknown else { return nil }
        return number
    }
}
