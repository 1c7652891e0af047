// SPDX-License-Identifier: MIT

import Foundation

/// The public types and properties in the sources of a target, with their documentation, which a running program cannot
/// read. A scope ends at a brace as deep as its first line, as swift-format has it.
struct SourceDeclarations {
    struct Property: Hashable {
        var name: String
        var type: String
        var summary: String
    }

    /// The first sentence of the documentation of each type, by its full name.
    private(set) var summaries: [String: String] = [:]
    /// The public properties of each type's values, in the order of the sources, by its full name.
    private(set) var properties: [String: [Property]] = [:]

    /// Reads all Swift files in a folder.
    init(folder: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for path in paths.sorted() where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            read(text.components(separatedBy: "\n"))
        }
    }

    private mutating func read(_ lines: [String]) {
        var scopes: [(depth: Int, name: String)] = []
        var documentation: [String] = []
        for line in lines {
            let depth = line.prefix { $0 == " " }.count
            let code = String(line.dropFirst(depth))
            if code.hasPrefix("///") {
                documentation.append(code.dropFirst(3).trimmingCharacters(in: .whitespaces))
                continue
            }
            if code.hasPrefix("@"), !code.contains(" public ") { continue }
            if code.hasPrefix("}"), let scope = scopes.last, scope.depth == depth { scopes.removeLast() }
            let around = scopes.last.flatMap { $0.depth == depth - 4 ? $0.name : nil }
            if depth == 0 || around != nil {
                if let match = code.firstMatch(of: /^extension ([\w.]+)/) {
                    scopes.append((depth, String(match.1)))
                } else if let match = code.firstMatch(of: /^public (?:enum|struct|protocol) (\w+)/) {
                    let name = (around.map { $0 + "." } ?? "") + match.1
                    summaries[name] = Self.firstSentence(of: documentation)
                    if !code.hasSuffix("}") { scopes.append((depth, name)) }
                } else if let around, let property = Self.property(code, documentation) {
                    properties[around, default: []].append(property)
                }
            }
            documentation = []
        }
    }

    /// The property that a line declares; nil for a static one, and for a line without a property.
    private static func property(_ code: String, _ documentation: [String]) -> Property? {
        guard
            let match = code.firstMatch(of: /^(?:@inlinable )?public (?:let|var) `?(\w+)`?(?:: ([^={]+))?(?: = (.+))?/)
        else { return nil }
        let type = match.2.map(String.init) ?? match.3.map { Self.type(ofInitializer: String($0)) } ?? ""
        return Property(
            name: String(match.1), type: type.trimmingCharacters(in: .whitespaces),
            summary: firstSentence(of: documentation))
    }

    /// `Scaled<UInt16, Per100>` for `Scaled<UInt16, Per100>(rawValue: 0)`, `Kind` for `Kind.unknown`.
    private static func type(ofInitializer code: String) -> String {
        if code == "true" || code == "false" { return "Bool" }
        if code.hasPrefix("(") { return "" }
        let type = String(code.prefix { $0 != "(" })
        guard type == code, let dot = type.lastIndex(of: ".") else { return type }
        return String(type[..<dot])
    }

    /// The first sentence, without the sections of specifications in parentheses at its end, and without double marks,
    /// because the linked symbols may be out of reach.
    static func firstSentence(of documentation: [String]) -> String {
        let paragraph = documentation.prefix { !$0.isEmpty && !$0.hasPrefix("- ") }.joined(separator: " ")
            .replacingOccurrences(of: "``", with: "`")
        var sentence = paragraph
        if let end = paragraph.firstRange(of: /\.(?= \p{Lu})/) { sentence = String(paragraph[..<end.upperBound]) }
        // "(Heart Rate Service 1.0, 3.1; GATT Specification Supplement, Heart Rate Measurement)."
        return sentence.replacing(/\ \((?:[^()]*(?:Service|Specification|guide|SensorTag)[^()]*)\)(?=[.:;,])/, with: "")
    }
}
