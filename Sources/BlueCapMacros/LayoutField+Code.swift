// SPDX-License-Identifier: MIT

#if Macros
extension LayoutField {
    enum Size {
        case fixed(Int)
        case term(String)
    }

    /// The property where it is used; the names of the function's own variables need `self`.
    private var reference: String {
        ["flags", "reader", "output", "start", "value", "narrow"].contains(name) ? "self.\(name)" : name
    }

    /// Whether some bits of the flags are no value of the field's type.
    var canRefuseBits: Bool {
        if case .bits = presence { !KnownType.integers.contains(typeName) } else { false }
    }

    // MARK: Reading

    var readLines: [String] {
        switch presence {
        case .bits(let bits):
            let shift = bits.lowerBound == 0 ? "" : " >> \(bits.lowerBound)"
            let number = "flags\(shift) & \(Self.hex(Self.ones(bits.count)))"
            if !canRefuseBits { return ["\(reference) = \(typeName)(truncatingIfNeeded: \(number))"] }
            return [
                "guard let \(name) = \(typeName)(rawValue: .init(truncatingIfNeeded: \(number))) else {",
                "throw .invalidValue(offset: start)", "}", "self.\(name) = \(name)",
            ]
        case .bit(let bit): return ["\(reference) = \(Self.test(bit))"]
        case .flag(let bit):
            return ["\(reference) = \(Self.test(bit)) ? \(readExpression) : \(isOptional ? "nil" : "\(typeName)()")"]
        case .wide(let bit, let narrow):
            return [
                "\(reference) = \(Self.test(bit)) ? \(readExpression) : \(typeName)(try reader.read(\(narrow).self))"
            ]
        case .always: break
        }
        if coding == .constant {
            return [
                "let \(name)Offset = reader.offset",
                "guard \(rawRead(typeName)) == \(reference) else {",
                "throw .invalidValue(offset: \(name)Offset)", "}",
            ]
        }
        if case .scaled(let scale) = coding, let unknown = scale.unknown {
            return [
                "let \(name)Raw = \(rawRead(scale.raw))",
                "\(reference) = \(name)Raw == \(unknown) ? nil : \(value(of: "\(name)Raw", scale))",
            ]
        }
        return ["\(reference) = \(readExpression)"]
    }

    private var readExpression: String {
        switch coding {
        case .plain, .constant: rawRead(typeName)
        case .counted(let count): "try \(typeName)(from: &reader, countedBy: \(count).self)"
        case .scaled(let scale): value(of: rawRead(scale.raw), scale)
        }
    }

    private func rawRead(_ type: String) -> String {
        "try reader.read(\(type).self\(isBigEndian ? ", .bigEndian" : ""))"
    }

    // MARK: Writing

    func flagLine(_ integer: String) -> String? {
        switch presence {
        case .always: nil
        case .bit(let bit): "if \(reference) { flags |= \(Self.mask(bit)) }"
        case .flag(let bit):
            "if \(isOptional ? "\(reference) != nil" : "!\(reference).isEmpty") { flags |= \(Self.mask(bit)) }"
        case .wide(let bit, let narrow):
            "if \(narrow)(exactly: \(reference)) == nil { flags |= \(Self.mask(bit)) }"
        case .bits(let bits):
            "flags |= (\(integer)(truncatingIfNeeded: \(reference)\(canRefuseBits ? ".rawValue" : "")) & "
                + "\(Self.hex(Self.ones(bits.count))))" + (bits.lowerBound == 0 ? "" : " << \(bits.lowerBound)")
        }
    }

    var writeLines: [String] {
        switch presence {
        case .bit, .bits: return []
        case .wide(_, let narrow):
            return [
                "if let narrow = \(narrow)(exactly: \(reference)) {", "narrow.encode(into: &output)", "} else {",
                write(reference), "}",
            ]
        case .flag where isOptional:
            return reference == name
                ? ["if let \(name) {", write(name), "}"] : ["if let value = \(reference) {", write("value"), "}"]
        case .flag where coding != .plain: return ["if !\(reference).isEmpty {", write(reference), "}"]
        case .flag: return [write(reference)]
        case .always: break
        }
        if case .scaled(let scale) = coding, let unknown = scale.unknown {
            let local = reference == name ? name : "value"
            return [
                "if let \(reference == name ? name : "value = \(reference)") {", write(local), "} else {",
                rawWrite("(\(unknown) as \(scale.raw))"), "}",
            ]
        }
        return [write(reference)]
    }

    private func write(_ value: String) -> String {
        switch coding {
        case .plain, .constant: rawWrite(value)
        case .counted(let count): "\(value).encode(countedBy: \(count).self, into: &output)"
        case .scaled(let scale): rawWrite(raw(of: value, scale))
        }
    }

    private func rawWrite(_ value: String) -> String {
        isBigEndian ? "output.write(\(value), .bigEndian)" : "\(value).encode(into: &output)"
    }

    // MARK: The size

    var size: Size {
        let own: Size =
            switch coding {
            case .plain, .constant:
                KnownType.sizes[typeName].map { .fixed($0) }
                    ?? .term(isOptional ? "(\(reference)?.encodedByteCount ?? 0)" : "\(reference).encodedByteCount")
            case .scaled(let scale): .fixed(KnownType.sizes[scale.raw] ?? 0)
            case .counted(let count):
                isOptional
                    ? .term("(\(reference).map { \(count).size + $0.encodedByteCount } ?? 0)")
                    : .term("\(count).size + \(reference).encodedByteCount")
            }
        switch (presence, own) {
        case (.bit, _), (.bits, _): return .fixed(0)
        case (.wide(_, let narrow), _):
            let narrowSize = KnownType.sizes[narrow].map { "\($0)" } ?? "\(narrow).size"
            let wideSize = KnownType.sizes[typeName].map { "\($0)" } ?? "\(typeName).size"
            return .term("(\(narrow)(exactly: \(reference)) == nil ? \(wideSize) : \(narrowSize))")
        case (.flag, .fixed(let size)): return .term("(\(reference) == nil ? 0 : \(size))")
        case (.flag, .term(let term)) where !isOptional && coding != .plain:
            return .term("(\(reference).isEmpty ? 0 : \(term))")
        default: return own
        }
    }

    // MARK: Scaling and bits

    private func value(of raw: String, _ scale: Scale) -> String {
        var text = "Double(\(raw)\(KnownType.narrow[scale.raw] == nil ? "" : ".value"))"
        if let divisor = scale.divisor {
            text += divisor == 1 ? "" : " / \(divisor)"
        } else {
            text += " * \(scale.factorTerm)"
        }
        if let offset = scale.offset { text += " + \(Self.term(offset))" }
        return typeName == "Float" ? "Float(\(text))" : text
    }

    private func raw(of value: String, _ scale: Scale) -> String {
        var text = typeName == "Float" ? "Double(\(value))" : value
        if let offset = scale.offset { text = "(\(text) - \(Self.term(offset)))" }
        if let divisor = scale.divisor {
            text += divisor == 1 ? "" : " * \(divisor)"
        } else {
            text += " / \(scale.factorTerm)"
        }
        return "\(scale.raw)(nearest: \(text))"
    }

    private static func ones(_ count: Int) -> UInt64 { count >= 64 ? .max : 1 << UInt64(count) - 1 }
    private static func mask(_ bit: Int) -> String { hex(1 << UInt64(bit)) }
    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return "0x" + (digits.count % 2 == 0 ? "" : "0") + digits
    }
    private static func test(_ bit: Int) -> String { "flags & \(mask(bit)) != 0" }

    /// An expression as an operand; one that is not a plain number gets parentheses.
    fileprivate static func term(_ text: String) -> String { Double(text) == nil ? "(\(text))" : text }
}

extension LayoutField.Scale {
    /// The divisor for factors such as 0.01: the division rounds right where a product would not, so that 7 is 0.07.
    fileprivate var divisor: Int? {
        guard let number = Double(factor), number > 0, number <= 1 else { return nil }
        let divisor = (1 / number).rounded()
        return divisor <= 1_000_000_000_000 && 1 / divisor == number ? Int(divisor) : nil
    }

    fileprivate var factorTerm: String { LayoutField.term(factor) }
}
#endif
