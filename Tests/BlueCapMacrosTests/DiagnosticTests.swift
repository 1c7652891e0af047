// SPDX-License-Identifier: MIT

#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("What the macro says of a declaration that is no layout", .timeLimit(.minutes(60)))
struct DiagnosticTests {
    /// Expects one problem with a struct of the given lines, and no extension.
    private func expect(
        _ message: String, flags: String = "", line: Int = 3, column: Int = 5, fixIt: String? = nil,
        fixed: String? = nil,
        bare: String, in source: String, location: Testing.SourceLocation = #_sourceLocation
    ) {
        let head = "struct Value {\n"
        expectExpansion(
            "@Layout\(flags)\n\(head)\(source)\n}", "\(head)\(bare)\n}",
            diagnostics: [
                DiagnosticSpec(
                    message: message, line: line, column: column,
                    fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? [])
            ], fixedSource: fixed.map { "@Layout\(flags)\n\(head)\($0)\n}" }, location: location)
    }

    @Test func `an enumeration`() {
        expectExpansion(
            "@Layout\nenum Value {}", "enum Value {}",
            diagnostics: [
                DiagnosticSpec(
                    message: "@Layout is for a struct: its stored properties are the fields of the message",
                    line: 1, column: 1)
            ])
    }

    @Test func `a property without its type, which the fix writes a place for`() {
        expect(
            "the layout needs the type of 'a' written out", column: 9, fixIt: "write its type",
            fixed: "    var a: <#Type#> = 1", bare: "    var a = 1", in: "    var a = 1")
    }

    @Test func `an optional without a flag, which the fix adds`() {
        expect(
            "nothing tells whether 'a' is there: an optional field needs the bit that does, as in @Flag(0)",
            flags: "(flags: UInt8.self)", column: 9, fixIt: "add the bit of its flag",
            fixed: "    @Flag(<#bit#>) var a: UInt8?", bare: "    var a: UInt8?", in: "    var a: UInt8?")
    }

    @Test func `a bit that the flags do not have`() {
        expect(
            "the flags have bits 0 through 7, not bit 8", flags: "(flags: UInt8.self)",
            bare: "    var a: UInt8?", in: "    @Flag(8) var a: UInt8?")
    }

    @Test func `a flag where the layout has none`() {
        expect(
            "'a' goes by a flag, so the layout needs their type: @Layout(flags: UInt8.self)",
            bare: "    var a: UInt8?", in: "    @Flag(0) var a: UInt8?")
    }

    @Test func `a bit of two fields`() {
        expect(
            "bit 2 is that of 'a' too; fields that come together go into a struct of their own with @Layout",
            flags: "(flags: UInt8.self)", line: 4, bare: "    var a: UInt8\n    var b: UInt8?",
            in: "    @Flag(1...2) var a: UInt8\n    @Flag(2) var b: UInt8?")
    }

    @Test func `a field behind one that takes all bytes`() {
        expect(
            "'a' takes all bytes that are left, so 'b' cannot follow it; put it last, or send its count before it with "
                + "@Counted(by: UInt8.self)",
            line: 4, column: 9, bare: "    var a: [UInt8]\n    var b: Bytes", in: "    var a: [UInt8]\n    var b: Bytes"
        )
    }

    @Test func `a flag on a field that is always there`() {
        expect(
            "a flag tells whether an optional or an array is there, or is a Bool itself; 'a' is always there: make it "
                + "'UInt16?', or name the type it has without the flag, as in @Flag(0, else: UInt8.self)",
            flags: "(flags: UInt8.self)", column: 18, bare: "    var a: UInt16", in: "    @Flag(0) var a: UInt16")
    }

    @Test(arguments: [("UInt16", "Int8"), ("UInt8", "UInt16"), ("Int16", "UInt16"), ("Double", "UInt8")])
    func `a second form whose numbers the field cannot all be`(type: String, narrow: String) {
        expect(
            "@Flag(_, else:) names a narrower integer, each of whose numbers 'a' can be; a '\(type)' cannot be every "
                + "'\(narrow)'",
            flags: "(flags: UInt8.self)", column: 31 + narrow.utf8.count, bare: "    var a: \(type)",
            in: "    @Flag(0, else: \(narrow).self) var a: \(type)")
    }

    @Test func `flags of a type that is no unsigned integer`() {
        expect(
            "flags are an unsigned integer of a fixed size, as UInt8 or UInt24; 'Double' is none",
            flags: "(flags: Double.self)", line: 1, column: 16, bare: "    var a: UInt8", in: "    var a: UInt8")
    }

    @Test func `a scaled field that is no Double or Float`() {
        expect(
            "a scaled field is a Double or a Float; 'a' is 'Int'", column: 38, bare: "    var a: Int",
            in: "    @Scaled(Int16.self, by: 0.1) var a: Int")
    }
}
#endif
