// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct SuggestionTests {
    private static let names = ["scan", "shell", "read", "rssi", "Heart Rate", "Heart Strap", "Battery Level"]

    @Test(arguments: [
        ("scna", ["scan"]), ("SCAN ", ["scan"]), ("reed", ["read"]), ("hart rate", ["Heart Rate"]),
        ("heart", ["Heart Rate", "Heart Strap"]), ("batery levle", ["Battery Level"]), ("xyz", []), ("s", []), ("", []),
        ("thermometer", []), ("batery", ["Battery Level"]), ("hart", ["Heart Rate", "Heart Strap"]),
    ])
    func `what is misspelt by a third at the most, or is a part of a name, is recognised`(word: String, names: [String])
    {
        #expect(Suggestion.similar(to: word, among: Self.names) == names)
    }

    @Test func `each name is suggested once, as a question`() {
        #expect(Suggestion.question("scam", among: ["scan", "scan", "scar"]) == "did you mean 'scan' or 'scar'?")
        #expect(Suggestion.question("scam", among: ["scan"], advice: "look") == "did you mean 'scan'? look")
        #expect(Suggestion.question("nothing", among: Self.names) == nil)
        #expect(Suggestion.question("nothing", among: Self.names, advice: "look") == "look")
    }
}
