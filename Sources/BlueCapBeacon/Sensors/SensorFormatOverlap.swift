// SPDX-License-Identifier: MIT

/// The search for formats of which one frame may be, and how much it has compared.
struct SensorFormatOverlap {
    /// For each format the first one before it that a frame of it may be of, too; nil for none.
    private(set) var earlier: [Int?] = []
    /// How many sources, names and bytes of patterns were compared. Each of a file is compared at most once with each.
    private(set) var comparisons = 0

    init(of formats: [SensorFormat]) {
        for (index, format) in formats.enumerated() {
            earlier.append(formats[..<index].firstIndex { exists($0, format) })
        }
    }

    /// Whether a frame may be of both.
    private mutating func exists(_ one: SensorFormat, _ other: SensorFormat) -> Bool {
        let (one, other) = (one.parts, other.parts)
        return one.lengths.overlaps(other.lengths) && any(one.sources, other.sources) { $0 == $1 }
            && (one.names.isEmpty || other.names.isEmpty || any(one.names, other.names, Self.overlap))
            && (one.patterns.isEmpty || other.patterns.isEmpty || anyPattern(one.patterns, other.patterns))
    }

    private mutating func any<Choice>(
        _ left: [Choice], _ right: [Choice], _ overlap: (Choice, Choice) -> Bool
    ) -> Bool {
        for choice in left {
            for other in right {
                comparisons += 1
                if overlap(choice, other) { return true }
            }
        }
        return false
    }

    private mutating func anyPattern(_ left: [SensorPattern], _ right: [SensorPattern]) -> Bool {
        for pattern in left {
            for other in right {
                comparisons += pattern.bytes.count
                if pattern.overlaps(other) { return true }
            }
        }
        return false
    }

    private static func overlap(_ left: String, _ right: String) -> Bool {
        switch (left.hasSuffix("*"), right.hasSuffix("*")) {
        case (false, false): left == right
        case (true, false): right.hasPrefix(left.dropLast())
        case (false, true): left.hasPrefix(right.dropLast())
        case (true, true): left.hasPrefix(right.dropLast()) || right.hasPrefix(left.dropLast())
        }
    }
}
