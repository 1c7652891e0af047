// SPDX-License-Identifier: MIT

#if ESPHome && BlueZ && os(Linux)
@testable import BlueCapESPHome
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AnnouncementMachineTests {
    typealias Machine = AnnouncementMachine

    /// An outcome of a stage and an event; pairs that are not listed change nothing.
    private static func outcome(_ stage: Machine.Stage, _ event: Machine.Event) -> (Machine.Stage, [Machine.Action]) {
        let free: [Machine.Action] = [.probing, .announced].contains(stage) ? [.free("/g")] : []
        switch (stage, event) {
        case (.away, .appeared): return (.starting, [.askState])
        case (.away, _): return (.away, [])
        case (_, .disappeared): return (.away, [.report(.withdrawn("Avahi has ended"))])
        case (.announced, .unready):
            return (.starting, free + [.report(.withdrawn("Avahi chooses a name for this machine"))])
        case (_, .unready): return (.starting, free)
        case (.starting, .ready), (.pausing, .paused): return (.asking, [.askForGroup])
        case (.asking, .group): return (.probing, [.add("box", group: "/g")])
        case (.probing, .established): return (.announced, [.report(.announced("box"))])
        case (.probing, .collided), (.announced, .collided):
            return (.renaming, free + [.askForName(instead: "box")])
        case (.renaming, .renamed): return (.asking, [.askForGroup])
        case (.starting, .failed), (.asking, .failed), (.probing, .failed), (.announced, .failed), (.renaming, .failed):
            return (.pausing, free + [.report(.withdrawn("no")), .pause(.seconds(1))])
        default: return (stage, [])
        }
    }

    private static let ways: [Machine.Stage: [Machine.Event]] = [
        .away: [],
        .starting: [.appeared],
        .asking: [.appeared, .ready],
        .probing: [.appeared, .ready, .group("/g")],
        .announced: [.appeared, .ready, .group("/g"), .established],
        .renaming: [.appeared, .ready, .group("/g"), .collided],
        .pausing: [.appeared, .failed("no")],
    ]

    private static let events: [Machine.Event] = [
        .appeared, .disappeared, .ready, .unready, .group("/g"), .established, .collided, .renamed("box #2"),
        .failed("no"), .paused,
    ]

    @Test(arguments: Machine.Stage.allCases, events)
    func `each event has its outcome in each stage`(stage: Machine.Stage, event: Machine.Event) throws {
        var machine = Machine(name: "box")
        for earlier in try #require(Self.ways[stage]) { _ = machine.take(earlier) }
        try #require(machine.stage == stage)
        let (next, actions) = Self.outcome(stage, event)
        #expect(machine.take(event) == actions)
        #expect(machine.stage == next)
        if stage == .renaming, event == .renamed("box #2") { #expect(machine.name == "box #2") }
    }

    @Test func `pauses double up to a minute, and are short again after a success`() {
        var machine = Machine(name: "box")
        for event in [Machine.Event.appeared, .ready] { _ = machine.take(event) }
        var pauses: [Duration] = []
        for _ in 0..<8 {
            for case .pause(let pause) in machine.take(.failed("no")) { pauses.append(pause) }
            _ = machine.take(.paused)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        for event in [Machine.Event.group("/g"), .established] { _ = machine.take(event) }
        #expect(machine.take(.failed("no")).last == .pause(.seconds(1)))
    }
}
#endif
