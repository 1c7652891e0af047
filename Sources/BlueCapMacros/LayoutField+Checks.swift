// SPDX-License-Identifier: MIT

#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension LayoutField {
    /// Checks that type and markers go together.
    func check(_ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax) throws(LayoutProblem) {
        if isOptional { try checkOptional(variable, binding) }
        if case .flag = presence, !isOptional && !isSequence {
            throw LayoutProblem(
                "flagOfPlain",
                "a flag tells whether an optional or an array is there, or is a Bool itself; '\(name)' is always there: "
                    + "make it '\(typeName)?', or name the type it has without the flag, as in @Flag(0, else: UInt8.self)",
                at: binding)
        }
        if case .wide = presence, isOptional || coding != .plain || isBigEndian {
            throw LayoutProblem(
                "wide", "@Flag(_, else:) is for a plain integer in little-endian order", at: binding)
        }
        if case .wide(_, let narrow) = presence, !KnownType.holds(typeName, everyOf: narrow) {
            throw LayoutProblem(
                "wideType",
                "@Flag(_, else:) names a narrower integer, each of whose numbers '\(name)' can be; a '\(typeName)' "
                    + "cannot be every '\(narrow)'",
                at: binding)
        }
        if case .bits = presence, isOptional || coding != .plain {
            throw LayoutProblem(
                "bits", "a field in bits of the flags is neither optional nor coded otherwise", at: binding)
        }
        if case .scaled(let scale) = coding {
            guard ["Double", "Float"].contains(typeName) else {
                throw LayoutProblem(
                    "scaledType", "a scaled field is a Double or a Float; '\(name)' is '\(typeName)'", at: binding)
            }
            guard KnownType.integers.contains(scale.raw) || KnownType.narrow[scale.raw] != nil else {
                throw LayoutProblem(
                    "scaledRaw", "a scaled field is sent as an integer of a fixed size; '\(scale.raw)' is none",
                    at: binding)
            }
        }
        if case .counted = coding, !isSequence {
            throw LayoutProblem(
                "countedType", "a count goes with an array, PackedArray, Bytes or String; '\(name)' is '\(typeName)'",
                at: binding)
        }
        if isBigEndian, !KnownType.integers.contains(rawName) {
            throw LayoutProblem(
                "bigEndian", "@BigEndian is for integers of Swift; '\(name)' is sent as '\(rawName)'", at: binding)
        }
    }

    /// The type that is sent.
    private var rawName: String {
        if case .scaled(let scale) = coding { scale.raw } else { typeName }
    }

    private func checkOptional(
        _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax
    ) throws(LayoutProblem) {
        var hasUnknown = false
        if case .scaled(let scale) = coding { hasUnknown = scale.unknown != nil }
        switch presence {
        case .flag where hasUnknown:
            throw LayoutProblem(
                "twoWaysOfNil", "'\(name)' is nil by a flag or by an unknown value, not by both", at: binding)
        case .always where !hasUnknown:
            let flag = AttributeSyntax("@Flag(<#bit#>)").with(\.trailingTrivia, .space)
            var fixed = variable.with(\.leadingTrivia, [])
            fixed.attributes = [.attribute(flag)] + fixed.attributes
            // The trivia in front of the declaration stays in front of the attribute.
            fixed.leadingTrivia = variable.leadingTrivia
            throw LayoutProblem(
                "optionalWithoutFlag",
                "nothing tells whether '\(name)' is there: an optional field needs the bit that does, as in @Flag(0)",
                at: binding
            ).fixed("add the bit of its flag", replacing: variable, with: fixed)
        default: break
        }
    }

    /// Checks that the field's bits are in the flags and no other field's.
    func checkBits(
        _ flagBits: Int?, among others: [LayoutField], at variable: VariableDeclSyntax
    ) throws(LayoutProblem) {
        guard let bits else { return }
        guard let flagBits else {
            throw LayoutProblem(
                "noFlags", "'\(name)' goes by a flag, so the layout needs their type: @Layout(flags: UInt8.self)",
                at: variable)
        }
        guard bits.lowerBound >= 0, bits.upperBound < flagBits else {
            throw LayoutProblem(
                "bitOutOfRange", "the flags have bits 0 through \(flagBits - 1), not bit \(bits.upperBound)",
                at: variable)
        }
        if let other = others.first(where: { $0.bits?.overlaps(bits) == true }) {
            throw LayoutProblem(
                "bitUsedTwice",
                "bit \(max(bits.lowerBound, other.bits?.lowerBound ?? 0)) is that of '\(other.name)' too; fields that "
                    + "come together go into a struct of their own with @Layout",
                at: variable)
        }
    }
}
#endif
