// SPDX-License-Identifier: MIT

#if Macros
/// The text of a layout's extension, as one would write it by hand.
struct LayoutExpansion {
    let fields: [LayoutField]
    /// The type of the flags in front.
    let flags: String?
    let access: String

    var text: String {
        var parts = [reader, byteCount, writer]
        if let units { parts.append(units) }
        return parts.joined(separator: "\n\n")
    }

    private var flagsInteger: String? { flags.map { KnownType.narrow[$0] ?? $0 } }
    private var usesFlags: Bool { fields.contains { $0.bits != nil } }

    // MARK: Reading

    private var reader: String {
        var lines: [String] = []
        if let flags {
            let read = "try reader.read(\(flags).self)" + (KnownType.narrow[flags] == nil ? "" : ".value")
            if fields.contains(where: \.canRefuseBits) { lines.append("let start = reader.offset") }
            lines.append(usesFlags ? "let flags = \(read)" : "_ = \(read)")
        }
        lines += fields.flatMap(\.readLines)
        return block("init(from reader: inout ByteReader) throws(SerDeError)", lines)
    }

    // MARK: The size

    private var byteCount: String {
        var fixed = flags.flatMap { KnownType.sizes[$0] } ?? 0
        var terms: [String] = []
        for field in fields {
            switch field.size {
            case .fixed(let size): fixed += size
            case .term(let term): terms.append(term)
            }
        }
        if fixed > 0 || terms.isEmpty { terms.insert("\(fixed)", at: 0) }
        return block("var encodedByteCount: Int", [terms.joined(separator: " + ")])
    }

    // MARK: Writing

    private var writer: String {
        var lines: [String] = []
        if let flags, let integer = flagsInteger {
            if usesFlags {
                lines.append("var flags: \(integer) = 0")
                lines += fields.compactMap { $0.flagLine(integer) }
                lines.append(
                    (integer == flags ? "flags" : "\(flags)(truncatingIfNeeded: flags)") + ".encode(into: &output)")
            } else {
                lines.append("(0 as \(flags)).encode(into: &output)")
            }
        }
        lines += fields.flatMap(\.writeLines)
        return block("func encode(into output: inout OutputRawSpan)", lines)
    }

    private var units: String? {
        let pairs = fields.compactMap { field -> String? in
            guard case .scaled(let scale) = field.coding, let unit = scale.unit else { return nil }
            return "\"\(field.name)\": \(unit)"
        }
        return pairs.isEmpty ? nil : block("static var units: [String: String]", ["[\(pairs.joined(separator: ", "))]"])
    }

    private func block(_ head: String, _ lines: [String]) -> String {
        (["\(access)\(head) {"] + lines + ["}"]).joined(separator: "\n")
    }
}
#endif
