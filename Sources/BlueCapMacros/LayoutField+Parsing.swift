// SPDX-License-Identifier: MIT

#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension LayoutField {
    /// The fields of a struct in their order; computed and static properties are none.
    static func fields(of members: MemberBlockItemListSyntax, flagBits: Int?) throws(LayoutProblem) -> [LayoutField] {
        var fields: [LayoutField] = []
        for member in members {
            guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic else { continue }
            for (index, binding) in variable.bindings.enumerated() where binding.isStored {
                let type = variable.bindings.dropFirst(index).lazy.compactMap { $0.typeAnnotation?.type }.first
                let field = try LayoutField(variable, binding, type: type)
                if let last = fields.last(where: \.takesRest), field.hasBytes {
                    throw LayoutProblem(
                        "afterRest",
                        "'\(last.name)' takes all bytes that are left, so '\(field.name)' cannot follow it; put it last, "
                            + "or send its count before it with @Counted(by: UInt8.self)",
                        at: binding)
                }
                try field.checkBits(flagBits, among: fields, at: variable)
                fields.append(field)
            }
        }
        return fields
    }

    private var hasBytes: Bool {
        switch presence {
        case .bit, .bits: false
        default: true
        }
    }

    private init(
        _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, type: TypeSyntax?
    ) throws(LayoutProblem) {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
            throw LayoutProblem("pattern", "declare each field of a layout by itself", at: binding)
        }
        name = pattern.identifier.trimmed.text
        guard let type else {
            let typed = binding.with(
                \.typeAnnotation,
                TypeAnnotationSyntax(
                    colon: .colonToken(trailingTrivia: .space), type: TypeSyntax("<#Type#>"),
                    trailingTrivia: pattern.trailingTrivia)
            ).with(\.pattern, PatternSyntax(pattern.trimmed))
            throw LayoutProblem(
                "missingType", "the layout needs the type of '\(name)' written out", at: binding
            ).fixed("write its type", replacing: binding, with: typed)
        }
        if let optional = type.as(OptionalTypeSyntax.self) {
            self.type = optional.wrappedType.trimmed
            isOptional = true
        } else {
            self.type = type.trimmed
            isOptional = false
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil { coding = .constant }
        for case .attribute(let attribute) in variable.attributes { try apply(attribute) }
        try check(variable, binding)
    }

    private mutating func apply(_ attribute: AttributeSyntax) throws(LayoutProblem) {
        let arguments = attribute.arguments?.as(LabeledExprListSyntax.self) ?? []
        func argument(_ label: String?) -> ExprSyntax? { arguments.first { $0.label?.text == label }?.expression }
        switch attribute.attributeName.trimmedDescription.split(separator: ".").last {
        case "Flag":
            guard let bits = argument(nil).flatMap(Self.bits) else {
                throw LayoutProblem(
                    "bit", "the bit of a flag is a literal, as in @Flag(3) or @Flag(1...2)", at: attribute)
            }
            if let other = argument("else") {
                presence = .wide(bits.lowerBound, otherwise: other.typeName)
            } else if argument(nil)?.trimmedDescription.contains("...") == true {
                presence = .bits(bits)
            } else {
                presence = typeName == "Bool" && !isOptional ? .bit(bits.lowerBound) : .flag(bits.lowerBound)
            }
        case "Scaled":
            guard let raw = argument(nil), let factor = argument("by"), factor.trimmedDescription != "0" else {
                throw LayoutProblem("scale", "write how it is sent: @Scaled(Int16.self, by: 0.01)", at: attribute)
            }
            coding = .scaled(
                Scale(
                    raw: raw.typeName, factor: factor.trimmedDescription,
                    offset: argument("offset")?.trimmedDescription, unit: argument("unit")?.trimmedDescription,
                    unknown: argument("unknown")?.trimmedDescription))
        case "Counted":
            guard let count = argument("by") else {
                throw LayoutProblem("count", "write the type of the count: @Counted(by: UInt8.self)", at: attribute)
            }
            coding = .counted(by: count.typeName)
        case "BigEndian": isBigEndian = true
        default: break
        }
    }

    /// `3` or `1...2`.
    private static func bits(_ expression: ExprSyntax) -> ClosedRange<Int>? {
        let text = expression.trimmedDescription.filter { $0 != " " }
        let ends = text.split(separator: "...", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else {
            return nil
        }
        return first...last
    }
}

extension ExprSyntax {
    /// `UInt8` of `UInt8.self`.
    fileprivate var typeName: String {
        let text = trimmedDescription
        return text.hasSuffix(".self") ? String(text.dropLast(5)) : text
    }
}

extension VariableDeclSyntax {
    fileprivate var isStatic: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class), .keyword(.lazy)].contains($0.name.tokenKind) }
    }
}

extension PatternBindingSyntax {
    /// Whether the property has storage: it has no accessors but those that observe it.
    fileprivate var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let list):
            list.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}
#endif
