// SPDX-License-Identifier: MIT

#if Macros
import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Layout`: reader, size and writer of a struct.
package struct LayoutMacro: ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        do throws(LayoutProblem) {
            guard let structure = declaration.as(StructDeclSyntax.self) else {
                throw LayoutProblem(
                    "notAStruct", "@Layout is for a struct: its stored properties are the fields of the message",
                    at: node)
            }
            let flags = try flagsType(node)
            let bits = flags.flatMap { KnownType.sizes[$0] }.map { 8 * $0 }
            let fields = try LayoutField.fields(of: structure.memberBlock.members, flagBits: bits)
            let text = LayoutExpansion(fields: fields, flags: flags, access: structure.access).text
            let clause = protocols.map(\.trimmedDescription).joined(separator: ", ")
            let header = "extension \(type.trimmedDescription)" + (clause.isEmpty ? "" : ": \(clause)")
            guard let made = DeclSyntax("\(raw: header) {\n\(raw: text)\n}").as(ExtensionDeclSyntax.self) else {
                throw LayoutProblem("expansion", "no extension could be made of this struct", at: node)
            }
            return [made]
        } catch {
            context.diagnose(error.diagnostic)
            return []
        }
    }

    private static func flagsType(_ node: AttributeSyntax) throws(LayoutProblem) -> String? {
        let arguments = node.arguments?.as(LabeledExprListSyntax.self) ?? []
        guard let flags = arguments.first(where: { $0.label?.text == "flags" })?.expression else { return nil }
        let text = flags.trimmedDescription
        let name = text.hasSuffix(".self") ? String(text.dropLast(5)) : text
        guard KnownType.flags.contains(name) else {
            throw LayoutProblem(
                "flagsType", "flags are an unsigned integer of a fixed size, as UInt8 or UInt24; '\(name)' is none",
                at: flags)
        }
        return name
    }
}

extension StructDeclSyntax {
    /// The modifier in front of the extension's members: `public ` or `package ` where the struct has it.
    fileprivate var access: String {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.public): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }
}
#endif
