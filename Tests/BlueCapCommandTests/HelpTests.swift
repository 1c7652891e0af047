// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct HelpTests {
    /// The help of each command, by its name.
    private static let pages: [(name: String, page: @Sendable (Int) -> [String])] = pages(of: BlueCapCommand.self)

    private static func pages(
        of command: any ParsableCommand.Type
    ) -> [(name: String, page: @Sendable (Int) -> [String])] {
        let name = command.configuration.commandName ?? "\(command)"
        let own: @Sendable (Int) -> [String] = { columns in
            BlueCapCommand.helpMessage(for: command, columns: columns).split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
        }
        return [(name, own)] + command.configuration.subcommands.flatMap { pages(of: $0) }
    }

    @Test(arguments: pages.map(\.name))
    func `no line of the help is wider than a terminal of 80 columns`(name: String) throws {
        let page = try #require(Self.pages.first { $0.name == name }?.page(80))
        for line in page { #expect(TextLayout.width(of: line) <= 80, "\(line)") }
    }

    @Test(arguments: pages.map(\.name))
    func `the paragraphs of the help are broken once, where the line is full`(name: String) throws {
        let page = try #require(Self.pages.first { $0.name == name }?.page(80))
        let prose = page.prefix { !$0.hasPrefix("USAGE:") }
        for (line, next) in zip(prose, prose.dropFirst()) {
            guard let word = next.split(separator: " ").first, !next.hasPrefix(" "), !line.hasPrefix(" ") else {
                continue
            }
            if line.isEmpty || line.uppercased() == line { continue }
            // A line that is as wide as the terminal is broken one word before the edge.
            #expect(TextLayout.width(of: line) + 1 + word.count >= 80, "\(line)")
        }
    }

    @Test(arguments: pages.map(\.name))
    func `what is set out in columns is not broken in a terminal of 80`(name: String) throws {
        let page = try #require(Self.pages.first { $0.name == name }?.page(400))
        for line in page.prefix(while: { !$0.hasPrefix("USAGE:") }) where line.hasPrefix("  ") {
            // A line as wide as the terminal would be broken.
            #expect(TextLayout.width(of: line) < 80, "\(line)")
        }
    }

    @Test(arguments: pages.map(\.name))
    func `no example is broken in a terminal of 80 columns`(name: String) throws {
        let page = try #require(Self.pages.first { $0.name == name }?.page)
        let wide = page(400).filter { $0.hasPrefix("  ") }
        let narrow = page(80).filter { $0.hasPrefix("  bluecap ") }
        #expect(narrow == wide.filter { $0.hasPrefix("  bluecap ") })
        if name != "bluecap", name != "emulate", name != "beacon" { #expect(!narrow.isEmpty) }
    }
}
