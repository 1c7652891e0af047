// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// What the machine of a registration asks for, and where it stands then, for each state and each event.
struct RegistrationMachineTests {
    typealias Machine = RegistrationMachine<Int>

    enum Event: String, CaseIterable {
        case settles
        case settlesBehindOthers = "settles behind others"
        case settlesWithoutRadio = "settles without a radio"
        case accepted
        case refused
        /// The answer to the request before the last one.
        case acceptedLate = "accepted late"
        case refusedLate = "refused late"
        case changed
        case withdrawn
        case suspended
        case forgotten
        case ended
    }

    /// How each state of the table comes about.
    static let ways: [String: [Event]] = [
        "new": [], "restored": [], "given up": [.withdrawn],
        "adding": [.settles], "adding again": [.settles], "adding, given up": [.settles, .withdrawn],
        "present": [.settles, .accepted], "present, changed": [.settles, .accepted, .changed],
        "present, withdrawn": [.settles, .accepted, .withdrawn],
        "updating": [.settles, .accepted, .changed, .settles],
        "updating, changed again": [.settles, .accepted, .changed, .settles, .changed],
        "updating, withdrawn": [.settles, .accepted, .changed, .settles, .withdrawn],
        "removing": [.settles, .accepted, .withdrawn, .settles],
        "removing what is being added": [.settles, .withdrawn, .settles],
        "removing what was refused": [.settles, .withdrawn, .settles, .refusedLate],
        "removing what is wanted": [.settles, .suspended, .settles],
        "unsure": [.settles, .suspended], "unsure, given up": [.settles, .suspended, .withdrawn],
    ]

    /// The states of what an earlier program offered.
    static let restored: Set<String> = ["restored", "adding again", "removing what is wanted", "unsure"]

    static let table = MachineTable(
        """
        new: absent
            settles | add 1 | adding
            changed | goal 1 | absent changed
            withdrawn | withdrawn | absent unwanted
            suspended | fail all, withdraw | absent
            ended | ended | absent
            - settles behind others, settles without a radio, accepted, refused, accepted late, refused late, forgotten
        restored: absent established
            settles | add 1 | adding established
            changed | goal 1 | absent established changed
            withdrawn | withdrawn | absent unwanted established
            suspended | fail all | absent established
            ended | ended | absent established
            - settles behind others, settles without a radio, accepted, refused, accepted late, refused late, forgotten
        given up: absent unwanted
            settles | forget | absent unwanted
            settles behind others | forget | absent unwanted
            settles without a radio | forget | absent unwanted
            changed | goal 1 | absent unwanted changed
            suspended | fail all, withdraw | absent unwanted
            ended | ended | absent unwanted
            - accepted, refused, accepted late, refused late, withdrawn, forgotten
        adding: adding
            accepted | startTime, publish, answer reached 0 | present established
            refused | give up | absent
            changed | goal 1 | adding changed
            withdrawn | withdrawn | adding unwanted
            suspended | fail all, withdraw | unsure
            - settles, settles behind others, settles without a radio, accepted late, refused late, forgotten, ended
        adding again: adding established
            accepted | publish, answer reached 0 | present established
            refused | give up and report | absent established
            changed | goal 1 | adding established changed
            withdrawn | withdrawn | adding unwanted established
            suspended | fail all | unsure established
            - settles, settles behind others, settles without a radio, accepted late, refused late, forgotten, ended
        adding, given up: adding unwanted
            settles | remove 1 | removing unwanted
            settles behind others | remove 1 | removing unwanted
            accepted | startTime, publish, answer reached 0 | present unwanted
            refused | give up | absent unwanted
            changed | goal 1 | adding unwanted changed
            suspended | fail all, withdraw | unsure unwanted
            - settles without a radio, accepted late, refused late, withdrawn, forgotten, ended
        present: present established
            settles | answer standing | present established
            settles behind others | answer standing | present established
            refused |  | present established refused
            changed | goal 1 | present established changed
            withdrawn | withdrawn | present unwanted established
            suspended | fail all | present established
            forgotten |  | absent established
            ended | ended | absent established
            - settles without a radio, accepted, accepted late, refused late
        present, changed: present established changed
            settles | update 2 | updating established changed
            settles behind others | update 2 | updating established changed
            refused |  | present established changed refused
            changed | goal 2 | present established changed
            withdrawn | withdrawn | present unwanted established changed
            suspended | fail all | present established
            forgotten |  | absent established changed
            ended | ended | absent established changed
            - settles without a radio, accepted, accepted late, refused late
        present, withdrawn: present unwanted established
            settles | remove 1 | removing unwanted established
            settles behind others | remove 1 | removing unwanted established
            refused |  | present unwanted established refused
            changed | goal 1 | present unwanted established changed
            suspended | fail all | present unwanted established
            forgotten |  | absent unwanted established
            ended | ended | absent unwanted established
            - settles without a radio, accepted, accepted late, refused late, withdrawn
        updating: updating established changed
            accepted | startTime, publish, answer reached 1 | present established
            refused | fail updates | present established
            refused late |  | updating established changed refused
            changed | goal 2 | updating established changed
            withdrawn | withdrawn | updating unwanted established changed
            suspended | fail all | unsure established
            forgotten |  | absent established changed
            ended | ended | absent established changed
            - settles, settles behind others, settles without a radio, accepted late
        updating, changed again: updating established changed
            accepted | startTime, publish, answer reached 1 | present established changed
            refused | fail updates | present established
            refused late |  | updating established changed refused
            changed | goal 3 | updating established changed
            withdrawn | withdrawn | updating unwanted established changed
            suspended | fail all | unsure established
            forgotten |  | absent established changed
            ended | ended | absent established changed
            - settles, settles behind others, settles without a radio, accepted late
        updating, withdrawn: updating unwanted established changed
            settles | remove 2 | removing unwanted established changed
            settles behind others | remove 2 | removing unwanted established changed
            accepted | startTime, publish, answer reached 1 | present unwanted established
            refused | fail updates | present unwanted established
            refused late |  | updating unwanted established changed refused
            changed | goal 2 | updating unwanted established changed
            suspended | fail all | unsure unwanted established
            forgotten |  | absent unwanted established changed
            ended | ended | absent unwanted established changed
            - settles without a radio, accepted late, withdrawn
        removing: removing unwanted established
            accepted | publish, answer absence | absent unwanted established
            refused | publish, fail absence | absent unwanted established
            refused late |  | removing unwanted established refused
            changed | goal 1 | removing unwanted established changed
            suspended | fail all | unsure unwanted established
            forgotten |  | absent unwanted established
            ended | ended | absent unwanted established
            - settles, settles behind others, settles without a radio, accepted late, withdrawn
        removing what is being added: removing unwanted
            accepted | publish, answer absence | absent unwanted
            refused | publish, fail absence | absent unwanted
            refused late |  | removing unwanted refused
            changed | goal 1 | removing unwanted changed
            suspended | fail all, withdraw | unsure unwanted
            forgotten |  | absent unwanted
            ended | ended | absent unwanted
            - settles, settles behind others, settles without a radio, accepted late, withdrawn
        removing what was refused: removing unwanted refused
            accepted | publish, answer absence | absent unwanted refused
            refused | publish, answer absence | absent unwanted refused
            changed | goal 1 | removing unwanted changed refused
            suspended | fail all, withdraw | unsure unwanted refused
            forgotten |  | absent unwanted refused
            ended | ended | absent unwanted refused
            - settles, settles behind others, settles without a radio, accepted late, refused late, withdrawn
        removing what is wanted: removing established
            accepted | publish | absent established
            refused | publish | absent established
            refused late |  | removing established refused
            changed | goal 1 | removing established changed
            withdrawn | withdrawn | removing unwanted established
            suspended | fail all | unsure established
            forgotten |  | absent established
            ended | ended | absent established
            - settles, settles behind others, settles without a radio, accepted late
        unsure: unsure established
            settles | remove 1 | removing established
            settles behind others | remove 1 | removing established
            refused |  | unsure established refused
            changed | goal 1 | unsure established changed
            withdrawn | withdrawn | unsure unwanted established
            suspended | fail all | unsure established
            forgotten |  | absent established
            ended | ended | absent established
            - settles without a radio, accepted, accepted late, refused late
        unsure, given up: unsure unwanted
            settles | remove 1 | removing unwanted
            settles behind others | remove 1 | removing unwanted
            refused |  | unsure unwanted refused
            changed | goal 1 | unsure unwanted changed
            suspended | fail all, withdraw | unsure unwanted
            forgotten |  | absent unwanted
            ended | ended | absent unwanted
            - settles without a radio, accepted, accepted late, refused late, withdrawn
        """)

    @Test func `every state stands in the table, with every event`() {
        #expect(Self.table.gaps(of: Event.allCases.map(\.rawValue)) == [])
        #expect(Set(Self.table.states.keys) == Set(Self.ways.keys))
    }

    @Test(arguments: ways.keys.sorted())
    func `each state is the one that its way leads to`(name: String) {
        #expect(Subject(name).machine.description == Self.table.states[name])
    }

    @Test(arguments: table.rows)
    func `each event leads to its actions and its state`(row: MachineTable.Row) throws {
        var subject = Subject(row.state)
        let actions = subject.take(try #require(Event(rawValue: row.event)))
        #expect(actions == row.actions)
        #expect(subject.machine.description == row.after)
    }
}

extension RegistrationMachineTests {
    /// A machine with the requests that it has sent.
    struct Subject {
        private(set) var machine: Machine
        private var sent: [Machine.Request] = []

        /// A machine in a state of the table.
        init(_ state: String) {
            machine = Machine(1, isEstablished: restored.contains(state))
            for event in ways[state] ?? [] { take(event) }
        }

        /// Something happens; what is to be done about it, in words.
        @discardableResult
        mutating func take(_ event: Event) -> [String] {
            switch event {
            case .settles: perform(machine.settle(isRadioOn: true, mayBeAdded: true))
            case .settlesBehindOthers: perform(machine.settle(isRadioOn: true, mayBeAdded: false))
            case .settlesWithoutRadio: perform(machine.settle(isRadioOn: false, mayBeAdded: true))
            case .accepted: answer(sent.last, isRefused: false)
            case .refused: answer(sent.last, isRefused: true)
            case .acceptedLate: answer(sent.dropLast().last, isRefused: false)
            case .refusedLate: answer(sent.dropLast().last, isRefused: true)
            case .changed: ["goal \(change())"]
            case .withdrawn: machine.withdraw() ? ["withdrawn"] : []
            case .suspended: machine.suspend().map { perform($0) }
            case .forgotten: forget()
            case .ended: machine.ended() ? ["ended"] : []
            }
        }

        private mutating func change() -> Int {
            if case .updated(let version) = machine.change(to: machine.content + 1) { version } else { 0 }
        }

        private mutating func forget() -> [String] {
            machine.forgotten()
            return []
        }

        private mutating func answer(_ request: Machine.Request?, isRefused: Bool) -> [String] {
            guard let request, let actions = machine.answered(request, isRefused: isRefused) else { return [] }
            return actions.map { perform($0) }
        }

        private mutating func perform(_ action: Machine.Action?) -> [String] { action.map { [perform($0)] } ?? [] }

        private mutating func perform(_ action: Machine.Action) -> String {
            switch action {
            case .send(let request):
                sent.append(request)
                return "\(request.step) \(request.content)"
            case .answer(.reached(let version), _): return "answer reached \(version)"
            case .answer(let goals, let isFailed): return "\(isFailed ? "fail" : "answer") \(Self.word(of: goals))"
            case .publish: return "publish"
            case .startTime: return "startTime"
            case .giveUp(let isReported): return isReported ? "give up and report" : "give up"
            case .withdraw: return "withdraw"
            case .forget: return "forget"
            }
        }

        private static func word(of goals: RegistrationGoal.Filter) -> String {
            String("\(goals)".split(separator: ".").last ?? "")
        }
    }
}
