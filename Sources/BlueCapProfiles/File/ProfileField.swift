// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapSerDe

/// One part of a value in a profile file: how it is sent, and how its text reads.
struct ProfileField: Sendable {
    var name: String
    var form: ProfileFieldForm
    var order = ByteOrder.littleEndian
    /// The value is the integer times this, plus the offset.
    var scale: Double?
    var offset = 0.0
    /// How many decimals the text of a scaled number has.
    var decimals = 0
    /// What is counted, such as "°C".
    var unit: String?
    /// The integer that says that there is no value.
    var unknown: Int128?
    /// The words for some integers, in the order of the file.
    var choices: [(text: String, raw: Int128)] = []
    /// The bit of the flags that says that the field is there, or which of two forms it has.
    var flag: Int?
    /// The form when the bit is not set.
    var alternative: ProfileFieldForm?
    /// Which bits of the flags the field is.
    var bits: ClosedRange<Int>?
    /// Whether it is a list that goes on to the end.
    var repeats = false
    /// The form of the number of elements, or of bytes, that stands in front.
    var counted: ProfileFieldForm?

    /// How many decimals a number is written with: 9 at most, or 18 when it is too small for these.
    static func decimals(of number: Double) -> Int {
        let most = number.magnitude < 1e-9 ? 18 : 9
        return (0..<most).first { digits in
            let scaled = number.magnitude * (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            return abs(scaled - scaled.rounded()) <= 1e-9 * scaled
        } ?? most
    }

    /// Whether a value can be made without the field's text.
    var isOptional: Bool { bits == nil && (flag != nil && alternative == nil || repeats || unknown != nil) }

    /// The bits of the flags that the field is, or the one that it goes by.
    var flagBits: ClosedRange<Int>? { bits ?? flag.map { $0...$0 } }

    /// A bit that is part of the field and of another one, or part of one and the flag of the other. Two fields may go
    /// by one flag: they are then there together.
    func bitTaken(from other: ProfileField) -> Int? {
        guard bits != nil || other.bits != nil, let own = flagBits, let others = other.flagBits,
            own.overlaps(others)
        else { return nil }
        return max(own.lowerBound, others.lowerBound)
    }

    /// Whether the text is that of several numbers, with a space between two.
    var isList: Bool { form.size != nil && (repeats || counted != nil) }

    /// Whether a word is found again in the text of a list.
    static func canStandInList(_ word: String) -> Bool { !word.isEmpty && !word.contains(" ") && word != none }

    /// Whether nothing can follow it.
    var takesAllThatIsLeft: Bool { repeats || counted == nil && (form == .utf8 || form == .bytes) }

    // MARK: From bytes

    /// Whether it is a number: not one of a list, and none that has words without being counted in a unit.
    private var isNumber: Bool {
        !isList && form != .utf8 && form != .bytes && (choices.isEmpty || unit != nil)
    }

    /// The part, which a value may lack, and which may not be known.
    func part(from reader: inout ByteReader, flags: Int128) throws(SerDeError) -> TextPart {
        let text = try text(from: &reader, flags: flags)
        let isThere = bits != nil || flag == nil || alternative != nil || isFlagSet(in: flags)
        return TextPart(name, text, isPresent: isThere && (text != nil || !repeats), isNumber: isNumber, unit: unit)
    }

    /// The text; nil where the value has no such part, and where it says that the number is not known.
    private func text(from reader: inout ByteReader, flags: Int128) throws(SerDeError) -> String? {
        if let bits { return text(of: flags >> Int128(bits.lowerBound) & mask(of: bits)) ?? "" }
        var form = form
        if flag != nil, !isFlagSet(in: flags) {
            guard let alternative else { return nil }
            form = alternative
        }
        if let counted {
            let count = Int(clamping: try counted.read(from: &reader, order))
            if form.size == nil { return try content(of: count, from: &reader) }
            return try list(count, form, from: &reader)
        }
        if form.size == nil { return try content(of: reader.remaining, from: &reader) }
        guard repeats else { return text(of: try form.read(from: &reader, order), form) }
        var texts: [String] = []
        while !reader.isAtEnd { texts.append(text(of: try form.read(from: &reader, order), form) ?? Self.none) }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private func list(
        _ count: Int, _ form: ProfileFieldForm, from reader: inout ByteReader
    ) throws(SerDeError) -> String {
        let (needed, overflow) = count.multipliedReportingOverflow(by: form.size ?? 1)
        guard !overflow, needed <= reader.remaining else {
            throw .truncated(needed: overflow ? .max : needed, available: reader.remaining, offset: reader.offset)
        }
        var texts: [String] = []
        for _ in 0..<count { texts.append(text(of: try form.read(from: &reader, order), form) ?? Self.none) }
        return texts.joined(separator: " ")
    }

    private func content(of count: Int, from reader: inout ByteReader) throws(SerDeError) -> String {
        let content = try reader.readBytes(count)
        return form == .utf8 ? try SerDe.deserialize(content, as: String.self) : content.hex
    }

    private func text(of raw: Int128, _ form: ProfileFieldForm? = nil) -> String? {
        if raw == unknown { return nil }
        if let choice = choices.first(where: { $0.raw == raw }) { return choice.text }
        if let scale { return DecimalText.fixed(Double(raw) * scale + offset, decimals) }
        return (form ?? self.form).text(of: raw)
    }

    // MARK: From text

    /// Appends the value that a text stands for, and sets the field's bits of the flags. A flag that another field has
    /// set counts: the field must then be there too, and has the form that the flag says.
    ///
    /// - Returns: False when the text has no meaning, or is missing where the field must be there.
    func append(_ text: String?, to bytes: inout Bytes, flags: inout Int128) -> Bool {
        if let bits {
            guard let text, let raw = raw(of: text, .bits), (0...mask(of: bits)).contains(raw) else { return false }
            flags |= raw << Int128(bits.lowerBound)
            return true
        }
        guard let text else {
            guard isOptional else { return false }
            if flag != nil, alternative == nil, !isFlagSet(in: flags) { return true }
            if repeats { return true }
            guard let unknown else { return false }
            if counted != nil { return appendCount(0, to: &bytes) }
            return append([unknown], to: &bytes, flags: &flags)
        }
        if form == .utf8 || form == .bytes {
            guard let content = form == .utf8 ? SerDe.serialize(text) : try? Bytes(hex: text) else { return false }
            if let flag { flags |= 1 << Int128(flag) }
            return appendCount(content.count, to: &bytes) && append(content, to: &bytes)
        }
        guard isList else {
            guard let raw = raw(of: text, form) else { return false }
            return append([raw], to: &bytes, flags: &flags)
        }
        var numbers: [Int128] = []
        for word in text.split(separator: " ") {
            guard let raw = word == Self.none ? unknown : raw(of: String(word), form) else { return false }
            numbers.append(raw)
        }
        return appendCount(numbers.count, to: &bytes) && append(numbers, to: &bytes, flags: &flags)
    }

    private func append(_ numbers: [Int128], to bytes: inout Bytes, flags: inout Int128) -> Bool {
        var form = form
        if let alternative, !isFlagSet(in: flags), numbers.allSatisfy(alternative.fits) {
            form = alternative
        } else if let flag {
            flags |= 1 << Int128(flag)
        }
        guard numbers.allSatisfy(form.fits) else { return false }
        for number in numbers { bytes.append(contentsOf: form.bytes(of: number, order)) }
        return true
    }

    private func append(_ content: Bytes, to bytes: inout Bytes) -> Bool {
        bytes.append(contentsOf: content)
        return true
    }

    private func appendCount(_ count: Int, to bytes: inout Bytes) -> Bool {
        guard let counted else { return true }
        guard counted.fits(Int128(count)) else { return false }
        bytes.append(contentsOf: counted.bytes(of: Int128(count), order))
        return true
    }

    private func raw(of text: String, _ form: ProfileFieldForm) -> Int128? {
        if let choice = choices.first(where: { $0.text == text }) { return choice.raw }
        guard let scale else { return form.raw(of: text) }
        guard let value = Double(text) else { return nil }
        let raw = ((value - offset) / scale).rounded()
        return raw.magnitude < 0x1p64 ? Int128(raw) : nil
    }

    private func isFlagSet(in flags: Int128) -> Bool { flag.map { flags >> Int128($0) & 1 == 1 } ?? false }

    private func mask(of bits: ClosedRange<Int>) -> Int128 { (1 << Int128(bits.count)) - 1 }

    /// Stands for an element without a value.
    private static let none = "-"
}
#endif
