// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapTerminal

@Suite(.timeLimit(.minutes(60)))
struct KeyDecoderTests {
    private static let table: [(String, [KeyPress])] = [
        ("a", [.character("a")]), ("\u{3}", [.control("c")]), ("\r", [KeyPress(.enter)]), ("\n", [KeyPress(.enter)]),
        ("\t", [KeyPress(.tab)]), ("\u{7F}", [KeyPress(.backspace)]), ("\0", [.control(" ")]),
        ("é日👍", [.character("é"), .character("日"), .character("👍")]),
        ("\u{1B}[A", [KeyPress(.up)]), ("\u{1B}OB", [KeyPress(.down)]), ("\u{1B}[1;5C", [KeyPress(.right, .control)]),
        ("\u{1B}[1;2D", [KeyPress(.left, .shift)]), ("\u{1B}[H", [KeyPress(.home)]), ("\u{1B}[4~", [KeyPress(.end)]),
        ("\u{1B}[5~\u{1B}[6~", [KeyPress(.pageUp), KeyPress(.pageDown)]),
        ("\u{1B}[3;5~", [KeyPress(.delete, .control)]),
        ("\u{1B}[[A", [KeyPress(.function(1))]), ("\u{1B}[15~", [KeyPress(.function(5))]),
        ("\u{1B}[Z", [KeyPress(.tab, .shift)]), ("\u{1B}x", [KeyPress(.character("x"), .alt)]),
        ("\u{1B}[97;5u", [.control("a")]), ("\u{1B}[27;5;97~", [.control("a")]),
        // Answers of a terminal, and unknown sequences, are no keys.
        ("\u{1B}[24;80R", []), ("\u{1B}[?62;c", []), ("\u{1B}]0;title\u{7}", []),
        ("\u{1B}P1$r\u{1B}\\a", [.character("a")]),
        ("\u{1B}[99999999A", []), ("\u{1B}[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1A", []),
        ("\u{1B}[200~a\r\nb\u{1B}[Ac\u{1B}[201~d", [KeyPress(.paste("a\nb\u{1B}[Ac")), .character("d")]),
    ]

    @Test(arguments: table)
    func `what a terminal sends is the keys that were pressed`(text: String, keys: [KeyPress]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8) == keys)
    }

    @Test(arguments: table)
    func `it does not matter in what portions the bytes come`(text: String, keys: [KeyPress]) {
        var decoder = KeyDecoder()
        #expect(text.utf8.flatMap { decoder.decode([$0]) } == keys)
    }

    @Test(arguments: [
        ("\u{1B}", [KeyPress(.escape)]), ("\u{1B}\u{1B}", [KeyPress(.escape), KeyPress(.escape)]),
        ("\u{1B}[", [KeyPress(.character("["), .alt)]), ("\u{1B}O", [KeyPress(.character("O"), .alt)]),
        ("\u{1B}]", [KeyPress(.character("]"), .alt)]),
    ])
    func `what nothing follows is a key by itself, and the next key stands alone`(text: String, keys: [KeyPress]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8).isEmpty && decoder.isAmbiguous)
        #expect(decoder.timeOut() == keys)
        #expect(!decoder.isAmbiguous)
        #expect(decoder.decode("A".utf8) == [.character("A")])
    }

    @Test(
        arguments: [
            ([0xC3, 0x28], "\u{FFFD}("), ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xE2, 0x82], ""),
        ] as [([UInt8], String)])
    func `bytes that are not UTF-8 are replaced`(bytes: [UInt8], text: String) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes) == text.map { .character($0) })
    }

    @Test func `of a paste without an end only so much is kept`() {
        var decoder = KeyDecoder()
        _ = decoder.decode("\u{1B}[200~".utf8)
        for _ in 0..<100 { #expect(decoder.decode([UInt8](repeating: 0x61, count: 1000)).isEmpty) }
        let keys = decoder.decode("\u{1B}[201~".utf8)
        #expect(keys == [KeyPress(.paste(String(repeating: "a", count: KeyDecoder.maximumPasteLength)))])
    }

    @Test(arguments: 0..<20)
    func `any bytes at all are survived, and keys work again after them`(seed: UInt64) {
        var generator = Noise(state: seed)
        var decoder = KeyDecoder()
        for _ in 0..<2000 {
            let choices: [UInt8] = [
                0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0x7E, 0x50, UInt8(truncatingIfNeeded: generator.next()),
            ]
            _ = decoder.decode([choices[Int(generator.next() % 8)]])
            if generator.next() % 64 == 0 { _ = decoder.timeOut() }
        }
        // Ends any open construct: a paste, a string, a sequence, a character.
        _ = decoder.decode("\u{1B}[201~\u{18}aa".utf8)
        #expect(decoder.decode("b".utf8) == [.character("b")])
    }
}

/// Numbers without a pattern, the same for a seed (SplitMix64).
struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
