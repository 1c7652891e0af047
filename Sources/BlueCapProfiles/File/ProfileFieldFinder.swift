// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapCore
import BlueCapSerDe

/// Finds the fields by which a file gives the values of a profile the text that a type in Swift gives them.
///
/// A type has functions for its bytes and no description of them. So values are tried, and their texts compared.
/// Fields are found for texts in UTF-8, and for values of one length whose bytes are integers, numbers with a point,
/// and words, each in bytes of its own. The fields are compared with the type once more.
struct ProfileFieldFinder {
    /// A part of the text, and where its bytes stand.
    private struct Part {
        var name: String
        var range: Range<Int>
        /// The bytes that were tried, with their text; nil where the value says that there is none.
        var tried: [(bytes: [UInt8], text: String?)] = []
    }

    /// Longer values are not looked at.
    private static let maximumByteCount = 32
    private static let maximumWordCount = 64
    private static let sampleCount = 200

    private let profile: CharacteristicProfile
    private let base: [UInt8]

    /// The fields of a profile's values; empty where they are not found, and for text that is hexadecimal.
    static func fields(of profile: CharacteristicProfile) -> [ProfileField] {
        guard profile.declaresValues else { return [] }
        let name = profile.name
        if profile.stringValue([0x41, 0x62]) == [name: "4162"] { return [] }
        let text = [ProfileField(name: name, form: .utf8)]
        let texts: [Bytes] = [[], [0x41, 0x62], [0xC3, 0xA9], [0xFF]]
        let layout = ProfileLayout(flags: nil, fields: text)
        if profile.stringValue([0x41, 0x62]) == [name: "Ab"] {
            return texts.allSatisfy { (try? layout.text($0)) == profile.stringValue($0) } ? text : []
        }
        guard let finder = ProfileFieldFinder(profile) else { return [] }
        return finder.fields()
    }

    /// Looks for a value to begin with: the first one, that of a word, or zeros.
    private init?(_ profile: CharacteristicProfile) {
        let words = profile.stringValues.lazy.compactMap { profile.bytes(fromString: [profile.name: $0]) }
        let zeros = (1...Self.maximumByteCount).lazy.map { Bytes(repeating: 0, count: $0) }
        let first = [profile.initialValue].compactMap(\.self).lazy.filter { profile.stringValue($0) != nil }.first
        let found = first ?? words.first ?? zeros.first { profile.stringValue($0)?.isEmpty == false }
        guard let found, (1...Self.maximumByteCount).contains(found.count) else { return nil }
        self.profile = profile
        base = Array(found)
    }

    private func text(_ bytes: [UInt8]) -> [String: String]? { profile.stringValue(Bytes(bytes)) }

    private func fields() -> [ProfileField] {
        // A value that may be longer or shorter has parts that are not always there.
        for count in 1...8 where text(base + Array(repeating: 0, count: count)) != nil { return [] }
        for count in 0..<base.count where text(Array(base.prefix(count))) != nil { return [] }
        guard var parts = parts() else { return [] }
        var fields: [ProfileField] = []
        for index in parts.indices {
            tryValues(of: &parts[index])
            guard let field = field(of: parts[index]) else { return [] }
            fields.append(field)
        }
        return agrees(ProfileLayout(flags: nil, fields: fields), parts) ? fields : []
    }

    // MARK: Where the parts stand

    /// The parts in the order of their bytes; nil where a byte belongs to none, or to several.
    private func parts() -> [Part]? {
        guard let texts = text(base) else { return nil }
        var parts: [Part] = []
        for index in base.indices {
            guard let name = owner(of: index, texts) else { return nil }
            if parts.last?.name == name {
                parts[parts.count - 1].range = parts[parts.count - 1].range.lowerBound..<index + 1
            } else {
                if parts.contains(where: { $0.name == name }) { return nil }
                parts.append(Part(name: name, range: index..<index + 1))
            }
        }
        return Set(texts.keys).isSubset(of: parts.map(\.name)) ? parts : nil
    }

    /// The only part whose text changes with a byte.
    private func owner(of index: Int, _ texts: [String: String]) -> String? {
        var owner: String?
        for byte in UInt8.min...UInt8.max {
            var bytes = base
            bytes[index] = byte
            guard let changed = text(bytes) else { continue }
            for name in Set(texts.keys).union(changed.keys) where texts[name] != changed[name] {
                if owner ?? name != name { return nil }
                owner = name
            }
        }
        return owner
    }

    // MARK: Their forms

    private func tryValues(of part: inout Part) {
        let count = part.range.count
        var patterns: [[UInt8]] = []
        if count == 1 {
            patterns = (UInt8.min...UInt8.max).map { [$0] }
        } else {
            patterns = [Array(base[part.range])] + [0, 0x7F, 0x80, 0xFF].map { Array(repeating: $0, count: count) }
            for index in 0..<8 * count {
                var bits = [UInt8](repeating: 0, count: count)
                bits[index / 8] = 1 << UInt8(index % 8)
                // The greatest and the least number, which often mean that there is none.
                patterns += [bits, bits.map { ~$0 }]
            }
            var chance = ProfileChance()
            for _ in 0..<Self.sampleCount { patterns.append((0..<count).map { _ in chance.next() }) }
            for word in profile.stringValues {
                guard let bytes = profile.bytes(fromString: [profile.name: word]) else { continue }
                if bytes.count == base.count { patterns.append(Array(bytes)[part.range].map(\.self)) }
            }
        }
        for pattern in patterns {
            var bytes = base
            bytes.replaceSubrange(part.range, with: pattern)
            guard let texts = text(bytes) else { continue }
            part.tried.append((pattern, texts[part.name]))
        }
    }

    /// The first field that has all texts.
    private func field(of part: Part) -> ProfileField? {
        for form in ProfileFieldForm.allCases where form.size == part.range.count {
            for order in part.range.count == 1 ? [ByteOrder.littleEndian] : [.littleEndian, .bigEndian] {
                var field = ProfileField(name: part.name, form: form, order: order)
                field.unit = profile.units[part.name].flatMap { (1...32).contains($0.utf8.count) ? $0 : nil }
                if complete(&field, part) { return field }
            }
        }
        return nil
    }

    /// Adds words, the scale and the number that means none.
    ///
    /// - Returns: Whether the field has all texts then.
    private func complete(_ field: inout ProfileField, _ part: Part) -> Bool {
        let raws = part.tried.compactMap { tried in
            Self.raw(Bytes(tried.bytes), field).map { (raw: $0, text: tried.text) }
        }
        guard !raws.isEmpty, raws.count == part.tried.count else { return false }
        let isInteger = field.form.isInteger
        var numbers: [(raw: Int128, text: String)] = []
        for (raw, text) in raws {
            guard let text else {
                guard isInteger, field.unknown ?? raw == raw else { return false }
                field.unknown = raw
                continue
            }
            if text == field.form.text(of: raw) || Double(text) != nil {
                numbers.append((raw, text))
            } else if isInteger, !field.choices.contains(where: { $0.raw == raw }) {
                guard field.choices.count < Self.maximumWordCount,
                    !field.choices.contains(where: { $0.text == text })
                else { return false }
                field.choices.append((text, raw))
            }
        }
        field.choices.sort { ($0.raw, $0.text) < ($1.raw, $1.text) }
        if numbers.contains(where: { $0.text != field.form.text(of: $0.raw) }) {
            guard isInteger, scale(&field, numbers) else { return false }
        }
        return true
    }

    /// Finds the scale and the offset between integers and the numbers in their texts.
    private func scale(_ field: inout ProfileField, _ numbers: [(raw: Int128, text: String)]) -> Bool {
        guard let least = numbers.min(by: { $0.raw < $1.raw }), let most = numbers.max(by: { $0.raw < $1.raw }),
            least.raw < most.raw, let low = Double(least.text), let high = Double(most.text), low.isFinite,
            high.isFinite
        else { return false }
        let scale = Self.rounded((high - low) / Double(most.raw - least.raw))
        guard scale != 0, scale.isFinite else { return false }
        field.scale = scale
        field.offset = Self.rounded(low - Double(least.raw) * scale)
        field.decimals = max(ProfileField.decimals(of: scale), ProfileField.decimals(of: field.offset))
        let (offset, decimals) = (field.offset, field.decimals)
        return numbers.allSatisfy { Self.isSame(DecimalText.fixed(Double($0.raw) * scale + offset, decimals), $0.text) }
    }

    /// The number with the fewest decimals that is as good.
    private static func rounded(_ number: Double) -> Double {
        var power = 1.0
        for _ in 0...9 {
            let rounded = (number * power).rounded() / power
            if abs(rounded - number) <= 1e-9 * max(1e-3, number.magnitude) { return rounded }
            power *= 10
        }
        return number
    }

    private static func raw(_ bytes: Bytes, _ field: ProfileField) -> Int128? {
        bytes.withBytes { span in
            var reader = ByteReader(span)
            return try? field.form.read(from: &reader, field.order)
        }
    }

    // MARK: The comparison

    /// Whether a layout has the same text as the type for values of all kinds, and makes the same values of it.
    private func agrees(_ layout: ProfileLayout, _ parts: [Part]) -> Bool {
        var samples = [base]
        for part in parts {
            for (bytes, _) in part.tried {
                var sample = base
                sample.replaceSubrange(part.range, with: bytes)
                samples.append(sample)
            }
        }
        var chance = ProfileChance()
        for _ in 0..<Self.sampleCount {
            var sample = base
            for part in parts {
                guard let tried = part.tried.randomElement(using: &chance) else { continue }
                sample.replaceSubrange(part.range, with: tried.bytes)
            }
            samples.append(sample)
        }
        return samples.map { Bytes($0) }.allSatisfy { sample in
            guard let texts = profile.stringValue(sample) else { return true }
            guard let found = try? layout.text(sample), Set(found.keys) == Set(texts.keys),
                texts.allSatisfy({ Self.isSame(found[$0.key], $0.value) })
            else { return false }
            return profile.bytes(fromString: texts) != sample || layout.bytes(found) == sample
        }
    }

    /// Whether two texts are equal, or the same number with other decimals.
    private static func isSame(_ text: String?, _ other: String) -> Bool {
        if text == other { return true }
        guard let number = text.flatMap({ Double($0) }), let wanted = Double(other) else { return false }
        return abs(number - wanted) <= 1e-6 * max(1, wanted.magnitude)
    }
}

/// Bytes that look as if by chance, and are the same each time.
private struct ProfileChance: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) &* 0x9E37_79B9_7F4A_7C15
    }
}
#endif
