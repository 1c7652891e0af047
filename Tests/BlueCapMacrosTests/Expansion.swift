// SPDX-License-Identifier: MIT

#if Macros
import BlueCapMacros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Expects that a source is expanded to another, with the given diagnostics of the compiler.
func expectExpansion(
    _ source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [], applyFixIts: [String]? = nil,
    fixedSource: String? = nil, location: Testing.SourceLocation = #_sourceLocation
) {
    let marker = MacroSpec(type: MarkerMacro.self)
    assertMacroExpansion(
        source, expandedSource: expanded, diagnostics: diagnostics,
        macroSpecs: [
            "Layout": MacroSpec(type: LayoutMacro.self, conformances: ["ByteDecodable", "ByteEncodable"]),
            "Flag": marker, "Scaled": marker, "Counted": marker, "BigEndian": marker,
        ],
        applyFixIts: applyFixIts, fixedSource: fixedSource,
        failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
}
#endif
