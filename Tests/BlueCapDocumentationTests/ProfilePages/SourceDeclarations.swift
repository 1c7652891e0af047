// SPDX-License-Identifier: MIT

import Foundation

/// The public types and properties in the sources of targets, with their documentation, which a running program cannot
/// read. A property without a comment has that of the requirement which it fulfils, as DocC shows it. A scope ends at a
/// brace as deep as its first line, as swift-format has it.
struct SourceDeclarations {
    struct Property: Hashable {
        var name: String
        var type: String
        var summary: String
    }

    /// The first sentence of the documentation of each type, by its full name.
    private(set) var summaries: [String: String] = [:]
    /// The public properties of each type's values, in the order of the sources, by its full name.
    private var declared: [String: [Property]] = [:]
    /// The last names of the protocols that each type and each protocol names, by its full name and by its last name.
    private var protocols: [String: [String]] = [:]
    /// The first sentence of the documentation of each protocol's requirements, by the protocol's last name.
    private var requirements: [String: [String: String]] = [:]

    /// Reads all Swift files in some folders.
    init(folders: [URL]) throws {
        for folder in folders {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for path in paths.sorted() where path.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                read(text.components(separatedBy: "\n"))
            }
        }
    }

    /// Reads the lines of one file.
    init(lines: [String]) { read(lines) }

    /// The public properties of a type's values, in the order of the sources.
    func properties(of type: String) -> [Property] {
        (declared[type] ?? []).map { property in
            guard property.summary.isEmpty else { return property }
            var inherited = property
            inherited.summary = requirement(property.name, of: type) ?? ""
            return inherited
        }
    }

    /// The text of the nearest protocol that asks for a property.
    private func requirement(_ property: String, of type: String) -> String? {
        var names = protocols[type] ?? []
        var next = 0
        while next < names.count {
            if let text = requirements[names[next]]?[property] { return text }
            names += (protocols[names[next]] ?? []).filter { !names.contains($0) }
            next += 1
        }
        return nil
    }

    private mutating func read(_ lines: [String]) {
        var scopes: [(depth: Int, name: String)] = []
        var documentation: [String] = []
        // The type whose list of protocols goes on in the next line.
        var unfinished: String?
        for line in lines {
            let depth = line.prefix { $0 == " " }.count
            let code = String(line.dropFirst(depth))
            if code.hasPrefix("///") {
                documentation.append(code.dropFirst(3).trimmingCharacters(in: .whitespaces))
                continue
            }
            if let type = unfinished {
                protocols[type]?.append(contentsOf: Self.names(in: code))
                if code.hasSuffix("{") { unfinished = nil }
                continue
            }
            if code.hasPrefix("@"), !code.contains(" public ") { continue }
            if code.hasPrefix("}"), let scope = scopes.last, scope.depth == depth { scopes.removeLast() }
            let around = scopes.last.flatMap { $0.depth == depth - 4 ? $0.name : nil }
            if depth == 0 || around != nil {
                if let match = code.firstMatch(of: /^extension ([\w.]+)/) {
                    scopes.append((depth, String(match.1)))
                } else if let match = code.firstMatch(of: /^public (?:enum|struct|(protocol)) (\w+)(?:<[^>]*>)?(.*)/) {
                    let name = (around.map { $0 + "." } ?? "") + match.2
                    let key = match.1 == nil ? name : String(match.2)
                    summaries[name] = Self.firstSentence(of: documentation)
                    if !code.hasSuffix("}") { scopes.append((depth, name)) }
                    protocols[key] = Self.names(in: String(match.3))
                    unfinished = code.contains("{") ? nil : key
                } else if let around, let property = Self.property(code, documentation) {
                    declared[around, default: []].append(property)
                } else if let around, let match = code.firstMatch(of: /^var `?(\w+)`?: [^{]+\{ get/),
                    !documentation.isEmpty
                {
                    let owner = around.split(separator: ".").last.map(String.init) ?? around
                    requirements[owner, default: [:]][String(match.1)] = Self.firstSentence(of: documentation)
                }
            }
            documentation = []
        }
    }

    /// The last names of the types in a list such as `: RawDeserializable, TISensorTag.Axes where RawValue == UInt8 {`.
    private static func names(in list: String) -> [String] {
        let names = list.prefix { $0 != "{" }.replacing(/\bwhere\b.*/, with: "").split { " :,&".contains($0) }
        return names.map { String($0.split(separator: ".").last ?? $0) }
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
