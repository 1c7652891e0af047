// SPDX-License-Identifier: MIT

#if Macros
import Foundation
import Testing

@Suite("The article on layouts", .timeLimit(.minutes(60)))
struct ArticleTests {
    @Test func `every block of code stands among the layouts that are compiled`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let article = folder.appendingPathComponent(
            "../../Sources/BlueCapLayout/Documentation.docc/DeclaredLayouts.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let compiled = try String(contentsOf: folder.appendingPathComponent("Layouts.swift"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 5)
        for block in blocks where !compiled.contains(block) {
            Issue.record("not compiled:\n\(block)")
        }
    }
}
#endif
