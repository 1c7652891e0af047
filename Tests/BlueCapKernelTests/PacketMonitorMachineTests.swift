// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapKernel

@Suite(.timeLimit(.minutes(60)))
struct PacketMonitorMachineTests {
    typealias Machine = PacketMonitorMachine

    enum Stage: CaseIterable {
        case absent, adding, addingUnwanted, addingInVain, standing, takingBack, takingBackWanted, pausing

        /// The events that lead to the stage.
        var way: [Machine.Event] {
            switch self {
            case .absent: [.wanted, .adapterRemoved]
            case .adding: [.wanted]
            case .addingUnwanted: [.wanted, .unwanted]
            case .addingInVain: [.wanted, .removed(0)]
            case .standing: [.wanted, .added(7)]
            case .takingBack: [.wanted, .added(7), .unwanted]
            case .takingBackWanted: [.wanted, .added(7), .unwanted, .wanted]
            case .pausing: [.wanted, .added(7), .removed(7)]
            }
        }
    }

    private static let events: [Machine.Event] = [
        .wanted, .unwanted, .added(7), .refused, .busy, .takenBack, .removed(0), .removed(7), .removed(8),
        .adapterAdded,
        .adapterRemoved, .pauseOver,
    ]

    /// The actions of each pair; those that are not listed have none.
    private static func actions(_ stage: Stage, _ event: Machine.Event) -> [Machine.Action] {
        switch (stage, event) {
        case (.absent, .wanted), (.absent, .adapterAdded), (.takingBackWanted, .takenBack), (.pausing, .pauseOver):
            [.add]
        case (.absent, .unwanted), (.pausing, .unwanted), (.takingBack, .takenBack): [.close]
        case (.adding, .added): [.hears]
        case (.addingUnwanted, .added), (.standing, .unwanted): [.takeBack(7)]
        case (.adding, .refused), (.addingInVain, .refused): [.fail]
        case (.addingUnwanted, .refused), (.addingUnwanted, .busy): [.close]
        case (.addingInVain, .added), (.adding, .busy), (.addingInVain, .busy), (.takingBack, .busy),
            (.takingBackWanted, .busy):
            [.pause]
        case (.takingBack, .pauseOver), (.takingBackWanted, .pauseOver): [.takeBack(7)]
        case (.standing, .removed(0)), (.standing, .removed(7)): [.isDeaf, .pause]
        case (.standing, .adapterRemoved): [.isDeaf]
        case (.addingUnwanted, .adapterRemoved), (.takingBack, .adapterRemoved): [.close]
        default: []
        }
    }

    @Test(arguments: Stage.allCases, events)
    func `each event has its actions in each stage`(stage: Stage, event: Machine.Event) {
        var machine = Machine()
        for earlier in stage.way { _ = machine.handle(earlier) }
        #expect(machine.handle(event) == Self.actions(stage, event))
    }

    @Test func `a monitor that was removed while it was added is added again after a pause`() {
        var machine = Machine()
        let events: [Machine.Event] = [.wanted, .removed(0), .added(7), .pauseOver, .added(8)]
        #expect(events.flatMap { machine.handle($0) } == [.add, .pause, .add, .hears])
    }
}
