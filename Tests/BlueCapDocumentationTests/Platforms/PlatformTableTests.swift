// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("The table of platforms", .timeLimit(.minutes(60)))
struct PlatformTableTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let page = root.appendingPathComponent("Sources/BlueCap/Documentation.docc/PlatformTable.md")

    private func table() throws -> PlatformTable {
        let file = Self.root.appendingPathComponent("Tests/Apple/platforms.tsv")
        return try #require(PlatformTable(try String(contentsOf: file, encoding: .utf8)), "\(file.path) is no table")
    }

    /// With BLUECAP_WRITE_PAGES in the environment the page is written, as the step `docs` of `.ci/run` does.
    @Test func `the page of platforms is made of the table that the tests read`() throws {
        let table = try table()
        let text = table.page
        for feature in table.features { #expect(text.contains("\n| \(feature.name) | "), "\(feature.name)") }
        guard ProcessInfo.processInfo.environment["BLUECAP_WRITE_PAGES"] != nil else { return }
        try Data(text.utf8).write(to: Self.page)
    }

    @Test func `each cell that rests on an open rule has a line that says so, and no other line does`() throws {
        let table = try table()
        let cells = table.features.flatMap(\.cells)
        let open = cells.count { $0.openRule != nil }
        let lines = table.page.components(separatedBy: "\n")
        #expect(open > 40)
        // As `grep -c` counts.
        #expect(lines.count { $0.contains("unverified on hardware") } == open)
        #expect(lines.flatMap { $0.components(separatedBy: " | ") }.count { $0.hasSuffix(" \\*") } == open)
    }

    @Test func `the table answers for each platform, and says the result where something is missing`() throws {
        let table = try table()
        #expect(
            table.platforms
                == ["iOS", "macOS", "tvOS", "watchOS", "visionOS", "Linux (BlueZ)", "virtual radio"])
        #expect(Set(table.features.map(\.name)).count == table.features.count)
        for feature in table.features {
            let isWhole = feature.cells.allSatisfy { ["yes", "–"].contains($0.answer) }
            #expect(isWhole || !feature.otherwise.isEmpty, "\(feature.name) is missing somewhere, without the result")
            #expect(feature.rule.isEmpty || feature.rule.contains(/^[A-Z][0-9]+$/), "\(feature.name): \(feature.rule)")
            for cell in feature.cells.dropFirst(5) {
                #expect(cell.openRule == nil, "\(feature.name): the tests run on Linux and on the virtual radio")
            }
        }
    }

    @Test func `a table with an answer of no kind is refused`() {
        let head = "role\tfeature\ta\tb\tc\td\te\tf\tg\totherwise\trule\n"
        #expect(PlatformTable(head + "r\tf\tyes\tno\tpart\t–\tyes ?B9\tyes\tyes\t\t\n")?.openCells.count == 1)
        #expect(PlatformTable(head + "r\tf\tyes\tno\tpart\t–\tyes ?\tyes\tyes\t\t\n") == nil)
        #expect(PlatformTable(head + "r\tf\tyes\tno\tpart\t–\tmaybe\tyes\tyes\t\t\n") == nil)
        #expect(PlatformTable(head + "r\tf\tyes\tno\t\t\n") == nil)
    }
}
