// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Articles", .timeLimit(.minutes(60)))
struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The README and every article of every target, but two, whose code needs packages of traits: that of `Metrics`
    /// and `ServiceLifecycle` is compared in BlueCapServiceTests, and that of `Crypto` in BlueCapBeaconTests.
    private static func articles() throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Sources").path)
        let others = ["/RunningAsAService.md", "/EncryptedBTHome.md"]
        let articles = paths.filter { path in path.hasSuffix(".md") && !others.contains(where: path.hasSuffix) }
        return ["README.md"] + articles.map { "Sources/" + $0 }.sorted()
    }

    @Test func `every block of Swift in every article is run by a test, or declares what tests use`() throws {
        let files = try Self.compiledFiles()
        let example = try Self.exampleFiles()
        let articles = try Self.articles()
        #expect(articles.count > 15)
        for article in articles {
            let text = try String(contentsOf: Self.root.appendingPathComponent(article), encoding: .utf8)
            let fences = text.components(separatedBy: "\n").filter { $0.lowercased().contains("```swift") }
            #expect(fences.allSatisfy { $0 == "```swift" }, "\(article) has Swift that is not looked at: \(fences)")
            // Lines for a package's manifest are not a program.
            let manifest = [".package(", "// swift-tools-version"]
            for block in CodeBlocks.blocks(in: text)
            where !manifest.contains(where: { block.first?.hasPrefix($0) == true }) {
                let imports = block.prefix { $0.isEmpty || $0.hasPrefix("import ") }
                let code = Array(block.dropFirst(imports.count))
                let isRun = files.contains { file in
                    imports.allSatisfy(file.contains) && CodeBlocks.isRun(code, in: file)
                }
                let isQuoted = example.contains { file in
                    imports.allSatisfy(file.contains) && !CodeBlocks.places(of: code, in: file).isEmpty
                }
                if !isRun && !isQuoted {
                    Issue.record("no test runs this of \(article):\n\(block.joined(separator: "\n"))")
                }
            }
        }
    }

    @Test func `each type with a page of its own begins with an example that a test runs`() throws {
        let files = try Self.compiledFiles()
        let folder = Self.root.appendingPathComponent("Sources")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let types = try Self.pagesOfTypes()
        #expect(types.count >= 13)
        for type in types {
            let source = try #require(sources.first { $0.hasSuffix("/\(type).swift") }, "no file declares \(type)")
            let text = try String(contentsOf: folder.appendingPathComponent(source), encoding: .utf8)
            let comment = CodeBlocks.comment(of: type, in: text)
            // After the sentence that the page has under its title.
            let introduction = comment.prefix { $0 != "```swift" }
            #expect(introduction.count(where: \.isEmpty) == 1, "\(source): an example stands first, or there is none")
            for block in CodeBlocks.blocks(in: comment.joined(separator: "\n"))
            where !files.contains(where: { CodeBlocks.isRun(block, in: $0) }) {
                Issue.record("no test runs this of \(source):\n\(block.joined(separator: "\n"))")
            }
        }
    }

    @Test func `every block with a catch stands in a plain function, too, or declares one`() throws {
        let functions = try Self.files(in: "Tests/BlueCapDocumentationTests/Recipes") {
            $0 == "ListingsInFunctions.swift"
        }
        #expect(functions.count == 1)
        var count = 0
        for article in try Self.articles() {
            let text = try String(contentsOf: Self.root.appendingPathComponent(article), encoding: .utf8)
            for block in CodeBlocks.blocks(in: text) where block.contains(where: { $0.contains("} catch") }) {
                if block.contains(where: { $0.contains("func ") }) { continue }
                count += 1
                if functions.allSatisfy({ CodeBlocks.places(of: block, in: $0).isEmpty }) {
                    Issue.record("no plain function has this of \(article):\n\(block.joined(separator: "\n"))")
                }
            }
        }
        #expect(count >= 6)
    }

    @Test func `a block is run in a function that is a test, not in another`() {
        let file = [
            "@Test(arguments: [1])", "func a(", "    b: B", ") {", "    b {", "        c", "    }", "}",
            "func d() {", "    e", "}", "@Test func `h`() {", "    i", "}", "struct F {}",
        ]
        #expect(CodeBlocks.isRun(["c"], in: file))
        #expect(CodeBlocks.isRun(["i"], in: file))
        #expect(!CodeBlocks.isRun(["e"], in: file))
        #expect(CodeBlocks.isRun(["struct F {}"], in: file))
        #expect(!CodeBlocks.isRun(["g"], in: file))
    }

    @Test func `a block is found whatever its indentation, and not when a line differs`() {
        let file = [
            "struct Test {", "    func a() {", "        if b {", "            c", "        }", "", "    }", "}",
        ]
        #expect(CodeBlocks.places(of: ["if b {", "    c", "}"], in: file) == [2])
        #expect(CodeBlocks.places(of: ["c", ""], in: ["  c", "", "d"]) == [0])
        #expect(CodeBlocks.places(of: ["if b {", "  c", "}"], in: file).isEmpty)
        #expect(CodeBlocks.places(of: ["if b {", "    d", "}"], in: file).isEmpty)
        #expect(CodeBlocks.places(of: ["}", "}", "}"], in: file).isEmpty)
    }

    @Test func `the comment of a type is found above its attributes`() {
        let source = "/// Other.\npublic struct Other {}\n/// A.\n///\n/// B\n@frozen\npublic final class A<T>: B {}"
        #expect(CodeBlocks.comment(of: "A", in: source) == ["A.", "", "B"])
        #expect(CodeBlocks.comment(of: "T", in: source).isEmpty)
    }

    @Test func `blocks are taken from an article by their fences`() {
        let article = "Text\n```swift\na\nb\n```\nMore\n```\nnot Swift\n```\n```swift\nc\n```"
        #expect(CodeBlocks.blocks(in: article) == [["a", "b"], ["c"]])
    }

    /// The types about which there is a page in a module's catalogue, whose title is "# ``Module/Type``".
    private static func pagesOfTypes() throws -> [String] {
        try articles().filter { $0.hasPrefix("Sources/") }.compactMap { article in
            let text = try String(contentsOf: root.appendingPathComponent(article), encoding: .utf8)
            let title = text.prefix { !$0.isNewline }.split { "# `/".contains($0) }
            return title.count == 2 && title[0] == article.split(separator: "/")[1] ? String(title[1]) : nil
        }
    }

    /// The lines of every file of this target, and of two files that belong to other targets: the macro's declarations,
    /// and the app under simulation.
    private static func compiledFiles() throws -> [[String]] {
        try files(in: "Tests") {
            $0.hasPrefix("BlueCapDocumentationTests/") || $0 == "BlueCapMacrosTests/Layouts.swift"
                || $0 == "BlueCapTestingTests/SimulatedAppTests.swift"
        }
    }

    /// The lines of every file of the examples that articles quote. They are packages of their own, whose tests run all
    /// of them in the step `examples` of `.ci/run`, so any place will do.
    private static func exampleFiles() throws -> [[String]] {
        try ["Examples/Backend", "Examples/AppTests", "Examples/SwiftUI"].flatMap { folder in
            try files(in: folder) { !$0.hasPrefix(".build") }
        }
    }

    /// The lines of the Swift files in a folder whose paths, from there on, are wanted.
    private static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [[String]] {
        let folder = root.appendingPathComponent(folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") && isWanted($0) }.map { path in
            try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8).components(separatedBy: "\n")
        }
    }
}

/// The Swift code of an article.
enum CodeBlocks {
    /// The lines of the documentation comment of a type, without the comment marks.
    static func comment(of type: String, in source: String) -> [String] {
        let lines = source.components(separatedBy: "\n")
        let place = lines.firstIndex { line in
            let words = line.prefix { !"<:{(".contains($0) }.split(separator: " ")
            return words.first == "public" && words.last == type[...]
        }
        guard let place else { return [] }
        let above = lines[..<place].reversed().drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }
        return above.reversed().map { String($0.dropFirst($0.hasPrefix("/// ") ? 4 : 3)) }
    }

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

    /// The places in the file where the block's lines stand one after the other, all with the same indentation before
    /// them.
    static func places(of block: [String], in file: [String]) -> [Int] {
        guard let first = block.first, block.count <= file.count else { return [] }
        return (0...(file.count - block.count)).filter { start in
            guard file[start].hasSuffix(first) else { return false }
            let indentation = file[start].dropLast(first.count)
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(file[start...], block).allSatisfy { line, wanted in
                line == (wanted.isEmpty ? "" : indentation + wanted)
            }
        }
    }

    /// Whether the block stands in a test, or outside of all functions, where it can only be a declaration.
    static func isRun(_ block: [String], in file: [String]) -> Bool {
        places(of: block, in: file).contains { place in
            guard let function = enclosingFunction(of: place, in: file) else { return true }
            // The attribute stands on the line of the function, or above it.
            let above = file[..<function].reversed().prefix { !$0.isEmpty && !$0.hasSuffix("}") }
            return ([file[function]] + above).contains { $0.contains("@Test") }
        }
    }

    /// The line of the function that the line stands in, by the indentation.
    private static func enclosingFunction(of place: Int, in file: [String]) -> Int? {
        func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }
        var depth = indentation(file[place])
        for (index, line) in file[..<place].enumerated().reversed() where indentation(line) < depth {
            let code = line.dropFirst(indentation(line))
            // A bracket ends a signature of several lines, whose first line has the same indentation.
            if code.isEmpty || code.hasPrefix(")") { continue }
            depth = indentation(line)
            if code.prefix(while: { $0 != "(" }).split(separator: " ").contains("func") { return index }
        }
        return nil
    }
}
