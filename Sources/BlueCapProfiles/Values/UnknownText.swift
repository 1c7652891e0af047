// SPDX-License-Identifier: MIT

/// The text of a number of which some values are no numbers, such as the one that says that the number is not known.
enum UnknownText {
    /// The text that stands in the place of a number that is not known.
    static let text = "unknown"

    /// The text of a number, which is "unknown" for the value that says so.
    static func text<Number: Equatable>(
        of number: Number, unknown: Number?, _ describe: (Number) -> String
    ) -> String {
        text(of: number, words: words(unknown), describe)
    }

    /// The number that a text stands for; nil when it means nothing, and for a number that would be taken for "not
    /// known".
    static func number<Number: Equatable>(
        from text: String, unknown: Number?, _ parse: (String) -> Number?
    ) -> Number? {
        number(from: text, words: words(unknown), parse)
    }

    /// The text of a number, which is a word for the values that have one.
    static func text<Number: Equatable>(
        of number: Number, words: [(value: Number, word: String)], _ describe: (Number) -> String
    ) -> String {
        words.first { $0.value == number }?.word ?? describe(number)
    }

    /// The number that a text stands for; nil when it means nothing, and for a number that has a word in its place,
    /// other than one such as "255 or more" for 255.
    static func number<Number: Equatable>(
        from text: String, words: [(value: Number, word: String)], _ parse: (String) -> Number?
    ) -> Number? {
        if let value = words.first(where: { $0.word == text })?.value { return value }
        guard let number = parse(text) else { return nil }
        return words.contains { $0.value == number && !$0.word.hasPrefix(text) } ? nil : number
    }

    private static func words<Number>(_ unknown: Number?) -> [(value: Number, word: String)] {
        unknown.map { [($0, text)] } ?? []
    }
}

/// Numbers as the texts of characteristics show them.
package enum DecimalText {
    /// A number with a fixed count of decimals, 0 through 18, rounded to the nearest and to even from the middle;
    /// "nan", "inf" and "-inf" for what has no decimals.
    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded(.toNearestOrEven)
        guard scaled < 0x1p63 else { return "\(value)" }
        let number = UInt64(scaled)
        let sign = value < 0 && number != 0 ? "-" : ""
        let whole = number / UInt64(scale)
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let fraction = String(number % UInt64(scale))
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
    }
}
