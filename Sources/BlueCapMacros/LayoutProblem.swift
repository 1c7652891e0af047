// SPDX-License-Identifier: MIT

#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// The reason why a declaration is no layout, and its place.
struct LayoutProblem: Error {
    let node: Syntax
    let message: Message
    var fixIts: [FixIt] = []

    struct Message: DiagnosticMessage, FixItMessage {
        let id: String
        let message: String
        var severity: DiagnosticSeverity { .error }
        var diagnosticID: MessageID { MessageID(domain: "BlueCapMacros", id: id) }
        var fixItID: MessageID { diagnosticID }
    }

    init(_ id: String, _ message: String, at node: some SyntaxProtocol) {
        self.node = Syntax(node)
        self.message = Message(id: id, message: message)
    }

    /// The same problem with a change that solves it.
    func fixed(_ message: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) -> LayoutProblem {
        var problem = self
        let change = FixIt.Change.replace(oldNode: Syntax(old), newNode: Syntax(new))
        problem.fixIts.append(FixIt(message: Message(id: self.message.id, message: message), changes: [change]))
        return problem
    }

    var diagnostic: Diagnostic { Diagnostic(node: node, message: message, fixIts: fixIts) }
}
#endif
