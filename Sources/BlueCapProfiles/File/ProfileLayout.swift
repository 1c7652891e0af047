// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapCore
import BlueCapSerDe

/// The parts of a value in a profile file, in the order in which they are sent.
struct ProfileLayout: Sendable {
    /// The form of the flags in front of all fields; nil where there are none.
    var flags: ProfileFieldForm?
    var fields: [ProfileField]

    /// The parts of the text, in their order.
    var parts: [CharacteristicTextPart] {
        fields.map { field in
            CharacteristicTextPart(
                name: field.name, choices: field.choices.map(\.text), isOptional: field.isOptional, unit: field.unit)
        }
    }

    /// The texts of a value's parts.
    func text(_ bytes: Bytes) throws(SerDeError) -> [String: String] {
        var texts: [String: String] = [:]
        for part in try parts(of: bytes) { texts[part.name] = part.text }
        return texts
    }

    /// The parts of a value, also those that it lacks.
    func parts(of bytes: Bytes) throws(SerDeError) -> [TextPart] {
        try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> [TextPart] in
            var reader = ByteReader(span)
            let flags = try flags?.read(from: &reader, .littleEndian) ?? 0
            var parts: [TextPart] = []
            for field in fields { parts.append(try field.part(from: &reader, flags: flags)) }
            try reader.finish(.reject)
            return parts
        }
    }

    /// The bytes of a value; nil where a part is missing or has no meaning, or where only some of the parts are there
    /// that go by one flag.
    func bytes(_ texts: [String: String]) -> Bytes? {
        var (body, set) = (Bytes(), Int128(0))
        // Twice: a field may set the flag of one in front of it.
        for _ in 0..<2 {
            body = Bytes()
            for field in fields where !field.append(texts[field.name], to: &body, flags: &set) { return nil }
        }
        guard let flags else { return body }
        return flags.bytes(of: set, .littleEndian) + body
    }
}
#endif
