// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The actions of a subscription's machine, and its next state, for each state and each event.
struct SubscriptionMachineTests {
    enum Event: String, CaseIterable {
        case settlesWanted = "settles wanted"
        case settlesUndiscovered = "settles wanted but undiscovered"
        case settlesUnwanted = "settles unwanted"
        case accepted
        case refused
        /// The answer to the request before the last one.
        case acceptedLate = "accepted late"
        case refusedLate = "refused late"
        case held
        case released
        case allReleased = "all released"
        case socketChosen = "socket chosen"
        case stopped
        case takenAway = "taken away"
        case disconnected
        case givenUp = "given up"
    }

    /// The way to each state of the table.
    static let ways: [String: [Event]] = [
        "new": [], "new and held": [.held],
        "enabling": [.settlesWanted], "enabling and held": [.held, .settlesUnwanted],
        "enabling anew": [.settlesWanted, .disconnected, .settlesWanted],
        "on": [.settlesWanted, .accepted], "on and held": [.settlesWanted, .accepted, .held],
        "disabling": [.settlesWanted, .accepted, .settlesUnwanted],
        "disabling and held": [.settlesWanted, .accepted, .settlesUnwanted, .held],
        "switched off": [.settlesWanted, .accepted, .settlesUnwanted, .accepted],
    ]

    static let table = MachineTable(
        """
        new: off
            settles wanted | switch on | enabling
            settles unwanted | answer all, forget | off
            held | | off, held by 1
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | off
            - settles wanted but undiscovered, accepted, refused, accepted late, refused late, released, stopped
            - all released, socket chosen
        new and held: off, held by 1
            settles wanted | switch on | enabling, held by 1
            settles unwanted | switch on | enabling, held by 1
            released | released | off
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | off
            all released |  | off
            - settles wanted but undiscovered, accepted, refused, accepted late, refused late, held, stopped
            - socket chosen
        enabling: enabling
            accepted | isNotifying true, answer on | on
            refused | isNotifying false, fail on, discardHeld, endListeners | off
            held | | enabling, held by 1
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | enabling
            - settles wanted, settles wanted but undiscovered, settles unwanted, accepted late, refused late, released
            - all released, socket chosen
            - stopped
        enabling and held: enabling, held by 1
            accepted | isNotifying true, answer on | on, held by 1
            refused | isNotifying false, fail on, discardHeld, endListeners | off
            released | released | enabling
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | enabling
            all released |  | enabling
            - settles wanted, settles wanted but undiscovered, settles unwanted, accepted late, refused late, held, stopped
            - socket chosen
        enabling anew: enabling
            accepted | isNotifying true, answer on | on
            refused | isNotifying false, fail on, discardHeld, endListeners | off
            held | | enabling, held by 1
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | enabling
            - settles wanted, settles wanted but undiscovered, settles unwanted, accepted late, refused late, released
            - all released, socket chosen
            - stopped
        on: on
            settles wanted | answer all | on
            settles wanted but undiscovered | answer all | on
            settles unwanted | switch off | disabling
            held | | on, held by 1
            stopped | discardHeld, isNotifying false, endListeners | off
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | on
            - accepted, refused, accepted late, refused late, released
            - all released, socket chosen
        on and held: on, held by 1
            settles wanted | answer all | on, held by 1
            settles wanted but undiscovered | answer all | on, held by 1
            settles unwanted | answer all | on, held by 1
            released | released | on
            stopped | discardHeld, isNotifying false, endListeners | off
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | on
            all released |  | on
            - accepted, refused, accepted late, refused late, held
            - socket chosen
        disabling: disabling
            accepted | isNotifying false, answer off | off
            refused | isNotifying false, fail off | off
            held | | disabling, held by 1
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | disabling
            - settles wanted, settles wanted but undiscovered, settles unwanted, accepted late, refused late, released
            - all released, socket chosen
            - stopped
        disabling and held: disabling, held by 1
            accepted | isNotifying false, answer off | off, held by 1
            refused | isNotifying false, fail off | off, held by 1
            released | released | disabling
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | disabling
            all released |  | disabling
            - settles wanted, settles wanted but undiscovered, settles unwanted, accepted late, refused late, held, stopped
            - socket chosen
        switched off: off
            settles wanted | switch on | enabling
            settles unwanted | answer all, forget | off
            held | | off, held by 1
            taken away | discardHeld, isNotifying false, fail all, endListeners | off
            disconnected | isNotifying false, endListenersOfConnection, fail all | off
            given up | fail all, endListeners, discardHeld | off
            - settles wanted but undiscovered, accepted, refused, accepted late, refused late, released, stopped
            - all released, socket chosen
        """)

    @Test func `every state stands in the table, with every event`() {
        #expect(Self.table.gaps(of: Event.allCases.map(\.rawValue)) == [])
        #expect(Set(Self.table.states.keys) == Set(Self.ways.keys))
    }

    @Test func `no event leads to a state that is not in the table`() {
        #expect(Subject("new").shapes(after: 12) == Self.table.shapes)
    }

    @Test func `whatever can happen to the machine is an event of the table`() throws {
        #expect(try Subject.uncalledMethods(of: "CentralRole/SubscriptionMachine.swift", by: #filePath) == [])
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

    @Test func `a request goes out with the transport that was chosen`() {
        var machine = SubscriptionMachine()
        machine.choose(.socket)
        let actions = machine.reconcile(hasListeners: true, isDiscovered: true, number: 1)
        guard case .send(let request)? = actions.first else { return #expect(Bool(false), "nothing was sent") }
        #expect(request.transport == .socket)
    }
}

extension SubscriptionMachineTests {
    /// A machine with the requests that it has sent.
    struct Subject: MachineSubject {
        private(set) var machine = SubscriptionMachine()
        private var sent: [SubscriptionMachine.Request] = []

        var description: String { machine.description }

        /// A machine in a state of the table.
        init(_ state: String) {
            for event in ways[state] ?? [] { take(event) }
        }

        /// Takes an event, and returns the machine's actions in words.
        @discardableResult
        mutating func take(_ event: Event) -> [String] {
            switch event {
            case .settlesWanted: reconcile(hasListeners: true, isDiscovered: true)
            case .settlesUndiscovered: reconcile(hasListeners: true, isDiscovered: false)
            case .settlesUnwanted: reconcile(hasListeners: false, isDiscovered: true)
            case .accepted: answer(sent.last, isRefused: false)
            case .refused: answer(sent.last, isRefused: true)
            case .acceptedLate: answer(sent.dropLast().last, isRefused: false)
            case .refusedLate: answer(sent.dropLast().last, isRefused: true)
            case .held: hold()
            case .released: machine.release(1) ? ["released"] : []
            case .allReleased: releaseAll()
            case .socketChosen: choose()
            case .stopped: perform(machine.stopped() ?? [])
            case .takenAway: perform(machine.takenAway())
            case .disconnected: perform(machine.disconnected())
            case .givenUp: perform(machine.givenUp())
            }
        }

        private mutating func reconcile(hasListeners: Bool, isDiscovered: Bool) -> [String] {
            let number = UInt64(sent.count + 1)
            return perform(machine.reconcile(hasListeners: hasListeners, isDiscovered: isDiscovered, number: number))
        }

        private mutating func hold() -> [String] {
            machine.hold(1)
            return []
        }

        private mutating func releaseAll() -> [String] {
            machine.releaseAll()
            return []
        }

        private mutating func choose() -> [String] {
            machine.choose(.socket)
            return []
        }

        private mutating func answer(_ request: SubscriptionMachine.Request?, isRefused: Bool) -> [String] {
            request.map { perform(machine.answered($0, isRefused: isRefused) ?? []) } ?? []
        }

        private mutating func perform(_ actions: [SubscriptionMachine.Action]) -> [String] {
            actions.map { action in
                switch action {
                case .send(let request):
                    sent.append(request)
                    return "switch \(request.isOn ? "on" : "off")"
                case .publish(let isNotifying): return "isNotifying \(isNotifying)"
                case .answer(let callers, let isFailed): return "\(isFailed ? "fail" : "answer") \(callers)"
                case .endListeners, .endListenersOfConnection, .discardHeld, .forget: return "\(action)"
                }
            }
        }
    }
}
