// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The actions of a control point's machine, and its next state, for each state and each event.
struct ControlPointMachineTests {
    enum Event: String, CaseIterable {
        case added
        case advanced
        /// A late response may come that would be taken for the response to the next request.
        case advancedToHold = "advanced to hold"
        case released
        case responded
        case respondedWhileAborting = "responded while aborting"
        /// The write of the request that has the place is refused.
        case refused
        /// The write of the request that ends its procedure is refused.
        case abortRefused = "abort refused"
        /// The write of a request is refused that does not have the place any more.
        case lateRefused = "late refused"
        case timePassed = "time passed"
        /// The same, and a request ends the procedure.
        case timePassedToAbort = "time passed to abort"
        /// The caller of the request that has the place gives up, and no request ends its procedure.
        case left
        /// The same, and a request ends its procedure.
        case leftToAbort = "left to abort"
        case firstLeft = "first left"
        case lastLeft = "last left"
        /// The caller of a request gives up that is answered already.
        case lateLeft = "late left"
        /// The link is lost, and none of the waiting requests keeps its place.
        case ended
        case endedKeepingFirst = "ended keeping first"
        case endedKeepingAll = "ended keeping all"
        case endedKeepingCurrent = "ended keeping current"
    }

    /// The way to each state of the table.
    static let ways: [String: [Event]] = [
        "new": [], "waiting": [.added], "two waiting": [.added, .added],
        "written": [.added, .advanced], "written, one waiting": [.added, .advanced, .added],
        "written, two waiting": [.added, .advanced, .added, .added],
        "aborting": [.added, .advanced, .leftToAbort],
        "aborting, one waiting": [.added, .added, .advanced, .leftToAbort],
        "held": [.added, .advancedToHold], "held, one waiting": [.added, .added, .advancedToHold],
        "answered": [.added, .advanced, .leftToAbort, .respondedWhileAborting],
        "answered, one waiting": [.added, .added, .advanced, .timePassedToAbort, .respondedWhileAborting],
        "free again": [.added, .advanced, .responded],
        "kept over a loss": [.added, .added, .advanced, .endedKeepingAll],
    ]

    static let table = MachineTable(
        """
        new: free
            added | | free waiting 1
            - advanced, advanced to hold, released, responded, responded while aborting, refused, abort refused
            - late refused, time passed, time passed to abort, left, left to abort, first left, last left, late left
            - ended, ended keeping first, ended keeping all, ended keeping current
        waiting: free waiting 1
            added | | free waiting 2
            advanced | startTime, write first | written
            advanced to hold | startTime | held
            first left | answer first, forget first | free
            last left | answer first, forget first | free
            ended | answer first, forget first | free
            ended keeping current | answer first, forget first | free
            - released, responded, responded while aborting, refused, abort refused, late refused, time passed
            - time passed to abort, left, left to abort, late left, ended keeping first, ended keeping all
        two waiting: free waiting 2
            added | | free waiting 3
            advanced | startTime, write first | written waiting 1
            advanced to hold | startTime | held waiting 1
            first left | answer first, forget first | free waiting 1
            last left | answer second, forget second | free waiting 1
            ended | answer first, forget first, answer second, forget second | free
            ended keeping first | answer second, forget second | free waiting 1
            ended keeping current | answer first, forget first, answer second, forget second | free
            - released, responded, responded while aborting, refused, abort refused, late refused, time passed
            - time passed to abort, left, left to abort, late left, ended keeping all
        held: held
            added | | held waiting 1
            released | startTime, write current | written
            time passed | stopTime, answer current, forget current | free
            time passed to abort | stopTime, answer current, forget current | free
            left | stopTime, answer current, forget current | free
            left to abort | stopTime, answer current, forget current | free
            ended | stopTime, answer current, forget current | free
            ended keeping first | stopTime, answer current, forget current | free
            ended keeping all | stopTime | free waiting 1
            ended keeping current | stopTime | free waiting 1
            - advanced, advanced to hold, responded, responded while aborting, refused, abort refused, late refused
            - first left, last left, late left
        held, one waiting: held waiting 1
            added | | held waiting 2
            released | startTime, write current | written waiting 1
            time passed | stopTime, answer current, forget current | free waiting 1
            time passed to abort | stopTime, answer current, forget current | free waiting 1
            left | stopTime, answer current, forget current | free waiting 1
            left to abort | stopTime, answer current, forget current | free waiting 1
            first left | answer first, forget first | held
            last left | answer first, forget first | held
            ended | stopTime, answer current, forget current, answer first, forget first | free
            ended keeping first | stopTime, answer current, forget current | free waiting 1
            ended keeping all | stopTime | free waiting 2
            ended keeping current | stopTime, answer first, forget first | free waiting 1
            - advanced, advanced to hold, responded, responded while aborting, refused, abort refused, late refused
            - late left
        written: written
            added | | written waiting 1
            responded | stopTime, answer current, forget current | free
            refused | stopTime, answer current, forget current | free
            time passed | expectLate current, stopTime, answer current, forget current | free
            time passed to abort | answer current, startTime, abort current | aborting
            left | answer current | written
            left to abort | answer current, startTime, abort current | aborting
            ended | expectLate current, stopTime, answer current, forget current | free
            ended keeping first | expectLate current, stopTime, answer current, forget current | free
            ended keeping all | expectLate current, stopTime, answer current, forget current | free
            ended keeping current | expectLate current, stopTime, answer current, forget current | free
            - advanced, advanced to hold, released, responded while aborting, abort refused, late refused, late left
            - first left, last left
        written, one waiting: written waiting 1
            added | | written waiting 2
            responded | stopTime, answer current, forget current | free waiting 1
            refused | stopTime, answer current, forget current | free waiting 1
            time passed | expectLate current, stopTime, answer current, forget current | free waiting 1
            time passed to abort | answer current, startTime, abort current | aborting waiting 1
            left | answer current | written waiting 1
            left to abort | answer current, startTime, abort current | aborting waiting 1
            first left | answer first, forget first | written
            last left | answer first, forget first | written
            ended | expectLate current, stopTime, answer current, forget current, answer first, forget first | free
            ended keeping first | expectLate current, stopTime, answer current, forget current | free waiting 1
            ended keeping all | expectLate current, stopTime, answer current, forget current | free waiting 1
            ended keeping current | expectLate current, stopTime, answer current, forget current, answer first,
                forget first
                | free
            - advanced, advanced to hold, released, responded while aborting, abort refused, late refused, late left
        written, two waiting: written waiting 2
            added | | written waiting 3
            responded | stopTime, answer current, forget current | free waiting 2
            refused | stopTime, answer current, forget current | free waiting 2
            time passed | expectLate current, stopTime, answer current, forget current | free waiting 2
            time passed to abort | answer current, startTime, abort current | aborting waiting 2
            left | answer current | written waiting 2
            left to abort | answer current, startTime, abort current | aborting waiting 2
            first left | answer first, forget first | written waiting 1
            last left | answer second, forget second | written waiting 1
            ended | expectLate current, stopTime, answer current, forget current, answer first, forget first,
                answer second,
                forget second | free
            ended keeping first | expectLate current, stopTime, answer current, forget current, answer second,
                forget second
                | free waiting 1
            ended keeping all | expectLate current, stopTime, answer current, forget current | free waiting 2
            ended keeping current | expectLate current, stopTime, answer current, forget current, answer first,
                forget first,
                answer second, forget second | free
            - advanced, advanced to hold, released, responded while aborting, abort refused, late refused, late left
        aborting: aborting
            added | | aborting waiting 1
            responded | stopTime, answer current, forget current | free
            responded while aborting | | aborting answered
            refused | | aborting answered
            abort refused | expectLate current, stopTime, answer current, forget current | free
            time passed | expectLate current, expectLateAbort current, stopTime, answer current, forget current
                | free
            time passed to abort | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free
            ended | expectLate current, expectLateAbort current, stopTime, answer current, forget current | free
            ended keeping first | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free
            ended keeping all | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free
            ended keeping current | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free
            - advanced, advanced to hold, released, late refused, left, left to abort, late left
            - first left, last left
        aborting, one waiting: aborting waiting 1
            added | | aborting waiting 2
            responded | stopTime, answer current, forget current | free waiting 1
            responded while aborting | | aborting answered waiting 1
            refused | | aborting answered waiting 1
            abort refused | expectLate current, stopTime, answer current, forget current | free waiting 1
            time passed | expectLate current, expectLateAbort current, stopTime, answer current, forget current
                | free waiting 1
            time passed to abort | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free waiting 1
            first left | answer first, forget first | aborting
            last left | answer first, forget first | aborting
            ended | expectLate current, expectLateAbort current, stopTime, answer current, forget current,
                answer first, forget first | free
            ended keeping first | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free waiting 1
            ended keeping all | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current | free waiting 1
            ended keeping current | expectLate current, expectLateAbort current, stopTime, answer current,
                forget current, answer first, forget first
                | free
            - advanced, advanced to hold, released, late refused, left, left to abort, late left
        answered: aborting answered
            added | | aborting answered waiting 1
            responded | stopTime, answer current, forget current | free
            abort refused | stopTime, answer current, forget current | free
            time passed | expectLateAbort current, stopTime, answer current, forget current | free
            time passed to abort | expectLateAbort current, stopTime, answer current, forget current | free
            ended | expectLateAbort current, stopTime, answer current, forget current | free
            ended keeping first | expectLateAbort current, stopTime, answer current, forget current | free
            ended keeping all | expectLateAbort current, stopTime, answer current, forget current | free
            ended keeping current | expectLateAbort current, stopTime, answer current, forget current | free
            - advanced, advanced to hold, released, responded while aborting, refused, late refused, left
            - left to abort, late left
            - first left, last left
        answered, one waiting: aborting answered waiting 1
            added | | aborting answered waiting 2
            responded | stopTime, answer current, forget current | free waiting 1
            abort refused | stopTime, answer current, forget current | free waiting 1
            time passed | expectLateAbort current, stopTime, answer current, forget current | free waiting 1
            time passed to abort | expectLateAbort current, stopTime, answer current, forget current | free waiting 1
            first left | answer first, forget first | aborting answered
            last left | answer first, forget first | aborting answered
            ended | expectLateAbort current, stopTime, answer current, forget current, answer first, forget first
                | free
            ended keeping first | expectLateAbort current, stopTime, answer current, forget current | free waiting 1
            ended keeping all | expectLateAbort current, stopTime, answer current, forget current | free waiting 1
            ended keeping current | expectLateAbort current, stopTime, answer current, forget current,
                answer first, forget first
                | free
            - advanced, advanced to hold, released, responded while aborting, refused, late refused, left
            - left to abort, late left
        free again: free
            added | | free waiting 1
            - advanced, advanced to hold, released, responded, responded while aborting, refused, abort refused
            - late refused, time passed, time passed to abort, left, left to abort, first left, last left, late left
            - ended, ended keeping first, ended keeping all, ended keeping current
        kept over a loss: free waiting 1
            added | | free waiting 2
            advanced | startTime, write first | written
            advanced to hold | startTime | held
            first left | answer first, forget first | free
            last left | answer first, forget first | free
            ended | answer first, forget first | free
            ended keeping current | answer first, forget first | free
            - released, responded, responded while aborting, refused, abort refused, late refused, time passed
            - time passed to abort, left, left to abort, late left, ended keeping first, ended keeping all
        """)

    @Test func `every state stands in the table, with every event`() {
        #expect(Self.table.gaps(of: Event.allCases.map(\.rawValue)) == [])
        #expect(Set(Self.table.states.keys) == Set(Self.ways.keys))
    }

    @Test func `no event leads to a state that is not in the table`() {
        #expect(Subject("new").shapes(after: 8) == Self.table.shapes)
    }

    @Test func `whatever can happen to the machine is an event of the table`() throws {
        #expect(try Subject.uncalledMethods(of: "CentralRole/ControlPointMachine.swift", by: #filePath) == [])
    }

    @Test(arguments: ways.keys.sorted())
    func `each state is the one that its way leads to`(name: String) {
        #expect(Subject(name).description == Self.table.states[name])
    }

    @Test(arguments: ways.keys.sorted())
    func `each event leads to its actions and its state`(name: String) throws {
        try Subject.expectRows(of: name, in: Self.table)
    }

    @Test(arguments: ways.keys.sorted())
    func `a state does the same whichever event has led to it`(name: String) throws {
        try Subject.expectRowsBehind(name, in: Self.table)
    }
}

extension ControlPointMachineTests {
    /// A machine whose requests are called by the places that they have.
    struct Subject: MachineSubject {
        private(set) var machine = ControlPointMachine()
        private var lastNumber: UInt64 = 0
        /// The request that had the place before the present one.
        private var former: UInt64 = 0

        var description: String { machine.description }

        /// A machine in a state of the table.
        init(_ state: String) {
            for event in ways[state] ?? [] { take(event) }
        }

        /// Takes an event, and returns the machine's actions in words.
        @discardableResult
        mutating func take(_ event: Event) -> [String] {
            let before = machine
            let current = before.current?.number ?? former
            let first = before.waiting.first
            defer {
                // One that was held waits again when the link is lost.
                if let number = before.current?.number, machine.current?.number != number,
                    !machine.waiting.contains(number)
                {
                    former = number
                }
            }
            let actions: [ControlPointMachine.Action] =
                switch event {
                case .added: add()
                case .advanced: machine.advance(isHeld: { _ in false })
                case .advancedToHold: machine.advance(isHeld: { _ in true })
                case .released: machine.released()
                case .responded: machine.responded()
                case .respondedWhileAborting: machine.respondedWhileAborting()
                case .refused: machine.refused(current, isAbort: false)
                case .abortRefused: machine.refused(current, isAbort: true)
                case .lateRefused: machine.refused(former, isAbort: false)
                case .timePassed: machine.timePassed(canAbort: false)
                case .timePassedToAbort: machine.timePassed(canAbort: true)
                case .left: machine.left(current, canAbort: false)
                case .leftToAbort: machine.left(current, canAbort: true)
                case .firstLeft: machine.left(first ?? former, canAbort: true)
                case .lastLeft: machine.left(before.waiting.last ?? former, canAbort: true)
                case .lateLeft: machine.left(former, canAbort: true)
                case .ended: machine.ended(where: { _ in true })
                case .endedKeepingFirst: machine.ended(where: { $0 != first })
                case .endedKeepingCurrent: machine.ended(where: { $0 != before.current?.number })
                case .endedKeepingAll: machine.ended(where: { _ in false })
                }
            return actions.map { words($0, before) }
        }

        private mutating func add() -> [ControlPointMachine.Action] {
            lastNumber += 1
            machine.add(lastNumber)
            return []
        }

        private func words(_ action: ControlPointMachine.Action, _ before: ControlPointMachine) -> String {
            func name(_ number: UInt64) -> String {
                if number == before.current?.number { return "current" }
                let place = before.waiting.firstIndex(of: number)
                return place.map { $0 < 2 ? ["first", "second"][$0] : "later" } ?? "gone"
            }
            return switch action {
            case .write(let number): "write \(name(number))"
            case .abort(let number): "abort \(name(number))"
            case .answer(let number): "answer \(name(number))"
            case .forget(let number): "forget \(name(number))"
            case .expectLate(let number): "expectLate \(name(number))"
            case .expectLateAbort(let number): "expectLateAbort \(name(number))"
            case .startTime, .stopTime: "\(action)"
            }
        }
    }
}
