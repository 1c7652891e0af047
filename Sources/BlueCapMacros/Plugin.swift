// SPDX-License-Identifier: MIT

#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [LayoutMacro.self, MarkerMacro.self]
}
#else
/// Nothing: a macro target is linked as a program even where the trait is off and the plugin is not used.
@main
struct Plugin {
    static func main() {}
}
#endif
