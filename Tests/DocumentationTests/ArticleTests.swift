import Foundation
import Testing

@Suite("Articles", .timeLimit(.minutes(5)))
struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "every block of code stands in a file that is compiled",
        arguments: [
            "Sources/BlueCapSerDe/Documentation.docc/Serialization.md",
            "Sources/BlueCapSerDe/Documentation.docc/Fields.md",
            "Sources/BlueCapCore/Documentation.docc/GATTProfiles.md",
            "Sources/BlueCapBeacon/Documentation.docc/BlueCapBeacon.md",
        ])
    func codeIsCompiled(article: String) throws {
        let blocks = CodeBlocks.blocks(in: try Self.text(article))
        #expect(blocks.count > 4)
        try Self.expectCompiled(blocks)
    }

    @Test("the code about iBeacons in the article about the peripheral role is compiled too")
    func iBeaconEmulation() throws {
        let text = try Self.text("Sources/BlueCapCore/Documentation.docc/PeripheralRole.md")
        let sections = text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("iBeacon emulation\n") })
        let blocks = CodeBlocks.blocks(in: section)
        #expect(blocks.count == 1)
        try Self.expectCompiled(blocks)
    }

    private static func text(_ article: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(article), encoding: .utf8)
    }

    private static func expectCompiled(_ blocks: [[String]]) throws {
        let files = try compiledFiles()
        for block in blocks where !files.contains(where: { CodeBlocks.contains(block, in: $0) }) {
            Issue.record("not compiled anywhere:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test("a block is found whatever its indentation, and not when a line differs")
    func comparison() {
        let file = [
            "struct Test {", "    func a() {", "        if b {", "            c", "        }", "", "    }", "}",
        ]
        #expect(CodeBlocks.contains(["if b {", "    c", "}"], in: file))
        #expect(CodeBlocks.contains(["c", ""], in: ["  c", "", "d"]))
        #expect(!CodeBlocks.contains(["if b {", "  c", "}"], in: file))
        #expect(!CodeBlocks.contains(["if b {", "    d", "}"], in: file))
        #expect(!CodeBlocks.contains(["}", "}", "}"], in: file))
    }

    @Test("blocks are taken from an article by their fences")
    func fences() {
        let article = "Text\n```swift\na\nb\n```\nMore\n```\nnot Swift\n```\n```swift\nc\n```"
        #expect(CodeBlocks.blocks(in: article) == [["a", "b"], ["c"]])
    }

    /// The lines of every file of this target.
    private static func compiledFiles() throws -> [[String]] {
        let folder = root.appendingPathComponent("Tests/DocumentationTests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") }.map { path in
            try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8).components(separatedBy: "\n")
        }
    }
}

/// The Swift code of an article.
enum CodeBlocks {
    static func blocks(in article: String) -> [[String]] {
        var blocks: [[String]] = []
        var current: [String]?
        for line in article.components(separatedBy: "\n") {
            if line == "```swift" {
                current = []
            } else if line == "```", let block = current {
                blocks.append(block)
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// Whether the block's lines stand in the file one after the other, all with the same indentation before them.
    static func contains(_ block: [String], in file: [String]) -> Bool {
        guard let first = block.first, block.count <= file.count else { return false }
        return (0...(file.count - block.count)).contains { start in
            guard file[start].hasSuffix(first) else { return false }
            let indentation = file[start].dropLast(first.count)
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(file[start...], block).allSatisfy { line, wanted in
                line == (wanted.isEmpty ? "" : indentation + wanted)
            }
        }
    }
}
