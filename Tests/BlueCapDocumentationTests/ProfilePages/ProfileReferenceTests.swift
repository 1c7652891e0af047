// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import Foundation
import Testing

@Suite("Pages of profiles", .timeLimit(.minutes(60)))
struct ProfileReferenceTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardizedFileURL

    private struct Catalogue: Sendable, CustomTestStringConvertible {
        var module: String
        var services: [ServiceProfile]
        var testDescription: String { module }
    }

    private static let catalogues = [
        Catalogue(module: "BlueCapProfiles", services: BLESIGGATTProfiles.services),
        Catalogue(
            module: "BlueCapVendorProfiles",
            services: TISensorTagProfiles.services + [TISensorTagProfiles.deviceInformation] + NordicProfiles.services
                + GnosusProfiles.services),
    ]

    /// With BLUECAP_WRITE_PAGES in the environment the pages are written, as the step `docs` of `.ci/run` does.
    @Test(arguments: catalogues)
    private func `each built-in service has a page with all of its characteristics`(_ catalogue: Catalogue) throws {
        let folder = Self.sources.appendingPathComponent(catalogue.module)
        // Protocols of the first two have requirements that properties of both modules fulfil.
        let folders = Set(["BlueCapSerDe", "BlueCapProfiles", catalogue.module]).sorted()
        let source = try SourceDeclarations(folders: folders.map(Self.sources.appendingPathComponent))
        let pages = ProfileReference(module: catalogue.module, services: catalogue.services, source: source).pages
        #expect(pages.count == catalogue.services.count + 1)
        for service in catalogue.services {
            let page = try #require(pages.values.first { $0.contains("The service has the UUID `\(service.uuid)`.") })
            for characteristic in service.characteristics {
                #expect(page.contains("### \(characteristic.name)\n"))
                #expect(page.contains("| UUID | `\(characteristic.uuid)` |"))
            }
        }
        guard ProcessInfo.processInfo.environment["BLUECAP_WRITE_PAGES"] != nil else { return }
        let documentation = folder.appendingPathComponent("Documentation.docc")
        let services = documentation.appendingPathComponent("Services")
        try? FileManager.default.removeItem(at: services)
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        for (name, text) in pages { try Data(text.utf8).write(to: documentation.appendingPathComponent(name)) }
    }

    @Test func `a property without a comment has that of the nearest protocol that asks for it`() {
        let source = SourceDeclarations(lines: [
            "/// A number.", "public protocol Base {", "    /// The number (Heart Rate Service 1.0).",
            "    var number: Int { get }",
            "    /// The unit.", "    var unit: String { get }", "}",
            "public protocol Near: Base where Self: Sendable {",
            "    /// The unit of a near one.", "    var unit: String { get }", "}", "extension Outer {",
            "    public struct Value: Hashable,", "        Inner.Near", "    {", "        public let number: Int",
            "        public let unit: String", "        /// A word of its own.",
            "        public var word: String { unit }",
            "        public var plain: Int { 1 }", "    }", "}",
        ])
        #expect(
            source.properties(of: "Outer.Value").map(\.summary)
                == ["The number.", "The unit of a near one.", "A word of its own.", ""])
    }

    @Test func `a sentence is taken without the place in the specification`() {
        let lines = [
            "The rate now (Heart Rate Service 1.0, 3.1;", "GATT Specification Supplement). More.", "", "And more.",
        ]
        #expect(SourceDeclarations.firstSentence(of: lines) == "The rate now.")
        #expect(
            SourceDeclarations.firstSentence(of: ["In steps of 0.1 (of ``Unit``).", "- Throws: x"])
                == "In steps of 0.1 (of `Unit`).")
    }
}
