#if BlueZ && os(Linux)
import Testing
@testable import TraceReplay

/// A replay lets pass the order that bluetoothd leaves to chance, and no other.
@Suite("A replay is compared with its trace")
struct TraceComparisonTests {
    private let trace: Trace
    private let recorded: [Trace.Message]
    /// What comes in the replay.
    private var coming: [Trace.Message]

    init() throws {
        trace = try Trace(name: "battery", folder: TraceReplayTests.folder("5.87"))
        recorded = trace.lines.compactMap { line in
            switch line {
            case .reply(let message), .signal(let message): message
            default: nil
            }
        }
        coming = recorded
    }

    private func compare() throws {
        var comparison = TraceComparison(trace)
        for message in recorded { try comparison.expect(message) }
        for message in coming { try comparison.observe(message) }
        #expect(comparison.missing == nil && comparison.surplus == nil)
    }

    private func index(of text: String) throws -> Int {
        try #require(coming.firstIndex { $0.body.canonical.contains(text) })
    }

    /// Moves the first message that has the one text to right before the first that has the other, or to right behind it.
    private mutating func move(_ text: String, before other: String) throws {
        let message = coming.remove(at: try index(of: text))
        coming.insert(message, at: try index(of: other))
    }

    private mutating func move(_ text: String, behind other: String) throws {
        let message = coming.remove(at: try index(of: text))
        coming.insert(message, at: try index(of: other) + 1)
    }

    private let level = #"{"org.bluez.Battery1":{"#

    @Test("a battery's level may come before the services are resolved")
    mutating func levelFirst() throws {
        try compare()
        try move(level, before: #""ServicesResolved":{"b":true}"#)
        try compare()
    }

    @Test("a battery's level must not change before it has come")
    mutating func changeFirst() throws {
        try move(level, behind: #"["org.bluez.Battery1","#)
        #expect(throws: ReplayError.self) { try compare() }
    }

    @Test("services must not be resolved before the link is up")
    mutating func servicesFirst() throws {
        try move(#""ServicesResolved":{"b":true}"#, before: #"["org.bluez.Device1",{"Connected""#)
        #expect(throws: ReplayError.self) { try compare() }
    }
}
#endif
