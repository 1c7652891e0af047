// SPDX-License-Identifier: MIT

#if Macros
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Flag`, `@Scaled`, `@Counted`, `@BigEndian`: they add nothing themselves; `@Layout` reads them.
package struct MarkerMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
#endif
