// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapGateway
import BlueCapJSON
import Testing

/// What `FaultPlaceTests` shows of the other kinds of file.
@Suite(.timeLimit(.minutes(60)))
struct ConfigurationFaultPlaceTests {
    /// Members with `§` at the place of the fault, and a part of the reason.
    @Test(
        arguments: [
            (#""name" §7"#, "':' is expected, not '7'"), (#""name": §7"#, "'name' is a text in quotes"),
            (#""connections": §1.5"#, "'connections' is a whole number, without a point"),
            (#""minimumInterval": §1e400"#, "'minimumInterval' is a number of seconds from 0 to 28800"),
            (#""connections": §300"#, "'connections' is a number of connections from 1 to 16"),
            (#"§"nmae": "a""#, "the file has no 'nmae'"),
            ("\"name\": \"a\",\n §\"name\": \"b\"", "'name' stands in line 3 already"),
        ])
    func `each kind of fault is refused with its line and its column`(member: String, reason: String) throws {
        let marked = "{ \"about\": \"é\",\n\n  \(member) }"
        let lines = marked.split(separator: "§")[0].split(separator: "\n", omittingEmptySubsequences: false)
        let place = "gateway.json:\(lines.count):\(1 + (lines.last?.count ?? 0)): "
        let text = Array(marked.replacing("§", with: "").utf8)
        let error = #expect(throws: ConfigurationError.self) { try GatewayConfiguration(text, file: "gateway.json") }
        let refusal = error.map { "\($0)" } ?? ""
        #expect(refusal.contains(reason) && refusal.contains(place), "\(place) in: \(refusal)")
    }
}
#endif
