// SPDX-License-Identifier: MIT

import BlueCapSerDe

#if !hasFeature(Embedded)
import BlueCapSerDe

extension TextField {
    /// A number whose text is "unknown" for the one that says that it is not known.
    init<Part: LosslessStringConvertible & Equatable & Sendable>(
        _ name: String, unit: String? = nil, _ path: any WritableKeyPath<Root, Part> & Sendable, unknown: Part
    ) {
        self.init(name, unit: unit, path, words: [(unknown, UnknownText.text)])
    }

    /// A number whose unit is part of the value.
    init<Part: LosslessStringConvertible & NumberInText & Sendable>(
        _ name: String, unitOfValue: @escaping @Sendable (Root) -> String?,
        _ path: any WritableKeyPath<Root, Part> & Sendable
    ) {
        self.init(
            name, isNumber: true, unitOfValue: unitOfValue, text: { $0[keyPath: path].description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// A number that not every value has, and whose unit is part of the value.
    init<Part: LosslessStringConvertible & NumberInText & Sendable>(
        _ name: String, unitOfValue: @escaping @Sendable (Root) -> String?,
        _ path: any WritableKeyPath<Root, Part?> & Sendable
    ) {
        self.init(
            name, isNumber: true, isOptional: true, unitOfValue: unitOfValue,
            text: { $0[keyPath: path]?.description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// A number of which some values have a word in the place of their digits.
    init<Part: LosslessStringConvertible & Equatable & Sendable>(
        _ name: String, unit: String? = nil, _ path: any WritableKeyPath<Root, Part> & Sendable,
        words: [(value: Part, word: String)]
    ) {
        self.init(
            name, isNumber: Part.self is any NumberInText.Type, unit: unit,
            text: { UnknownText.text(of: $0[keyPath: path], words: words, \.description) },
            parse: { root, text in
                guard let part = UnknownText.number(from: text, words: words, Part.init) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// A number that not every value has, whose text is "unknown" for the one that says that it is not known.
    init<Part: LosslessStringConvertible & Equatable & Sendable>(
        _ name: String, unit: String? = nil, _ path: any WritableKeyPath<Root, Part?> & Sendable, unknown: Part
    ) {
        self.init(
            name, isNumber: Part.self is any NumberInText.Type, isOptional: true, unit: unit,
            text: { $0[keyPath: path].map { UnknownText.text(of: $0, unknown: unknown, \.description) } },
            parse: { root, text in
                guard let part = UnknownText.number(from: text, unknown: unknown, Part.init) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// A part of a part that not every value has, such as the time of an optional pair of count and time.
    ///
    /// The whole is made as soon as one of its parts is in the text; parts that the text leaves out are then those of
    /// `initial`. The text is a word, such as "unknown", for the part that says that it is not known, where there is
    /// one.
    init<Whole: Sendable, Part: LosslessStringConvertible & Equatable & Sendable>(
        _ name: String, unit: String? = nil, _ whole: any WritableKeyPath<Root, Whole?> & Sendable,
        _ part: any WritableKeyPath<Whole, Part> & Sendable, initial: Whole, unknown: Part? = nil,
        as word: String = UnknownText.text, unitOfValue: (@Sendable (Root) -> String?)? = nil
    ) {
        let words = unknown.map { [(value: $0, word: word)] } ?? []
        self.init(
            name, isNumber: Part.self is any NumberInText.Type, isOptional: true, unit: unit, unitOfValue: unitOfValue,
            text: { root in
                root[keyPath: whole].map { UnknownText.text(of: $0[keyPath: part], words: words, \.description) }
            },
            parse: { root, text in
                guard let value = UnknownText.number(from: text, words: words, Part.init) else { return false }
                var parts = root[keyPath: whole] ?? initial
                parts[keyPath: part] = value
                root[keyPath: whole] = parts
                return true
            })
    }

    /// A part that is one of a few assigned numbers.
    init<Part: AssignedNumber>(
        choice name: String, _ path: any WritableKeyPath<Root, Part> & Sendable
    ) {
        self.init(
            name, allowed: Part.assigned.map { $0.1 }, text: { $0[keyPath: path].description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }

    /// A part that is one of a few assigned numbers, which not every value has.
    init<Part: AssignedNumber>(
        choice name: String, _ path: any WritableKeyPath<Root, Part?> & Sendable
    ) {
        self.init(
            name, allowed: Part.assigned.map { $0.1 }, isOptional: true, text: { $0[keyPath: path]?.description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }
}

extension TextField {
    /// A part that is a row of numbers: their texts with a space between; left out when there are none.
    init<Element: LosslessStringConvertible & Deserializable>(
        list name: String, unit: String? = nil, _ path: any WritableKeyPath<Root, PackedArray<Element>> & Sendable
    ) {
        self.init(
            name, isNumber: false, isOptional: true, unit: unit,
            text: { root in
                let elements = root[keyPath: path]
                return elements.isEmpty ? nil : elements.map(\.description).joined(separator: " ")
            },
            parse: { root, text in
                var elements = PackedArray<Element>()
                for part in text.split(separator: " ") {
                    guard let element = Element(String(part)) else { return false }
                    elements.append(element)
                }
                root[keyPath: path] = elements
                return true
            })
    }
}

extension TextField {
    /// A part that text describes without loss, and that has few texts.
    init<Part: LosslessStringConvertible & SendableMetatype>(
        _ name: String, allowed: [String], _ path: any WritableKeyPath<Root, Part> & Sendable
    ) {
        self.init(
            name, allowed: allowed, text: { $0[keyPath: path].description },
            parse: { root, text in
                guard let part = Part(text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }
}

extension TextField {
    /// A part that is one of an enumeration's cases: the case's own name.
    init<Part: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        name: String, _ path: any WritableKeyPath<Root, Part> & Sendable
    ) {
        self.init(
            name, allowed: Part.allCases.map(\.rawValue), text: { $0[keyPath: path].rawValue },
            parse: { root, text in
                guard let part = Part(rawValue: text) else { return false }
                root[keyPath: path] = part
                return true
            })
    }
}
#endif

extension TextField {
    /// Bytes in hexadecimal; an optional one is left out of the text when it is empty.
    static func hex(
        _ name: String, _ path: any WritableKeyPath<Root, Bytes> & Sendable, isOptional: Bool = false
    ) -> TextField {
        TextField(
            name, isNumber: false, isOptional: isOptional,
            text: { isOptional && $0[keyPath: path].isEmpty ? nil : $0[keyPath: path].hex },
            parse: { root, text in
                guard let bytes = try? Bytes(hex: text) else { return false }
                root[keyPath: path] = bytes
                return true
            })
    }
}
