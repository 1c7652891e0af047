// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The actions of a connection's machine, and its next state, for each state and each event.
struct ConnectionMachineTests {
    enum Event: String, CaseIterable {
        /// A caller asks for a connection and waits.
        case joined
        /// A caller's time is over.
        case callerTimedOut = "caller timed out"
        /// A caller's task was cancelled.
        case callerCancelled = "caller cancelled"
        /// The app ends the connection, or the attempt.
        case forced
        /// The time of an attempt without callers is over.
        case attemptTimedOut = "attempt timed out"
        /// The wait before the policy's next attempt is over.
        case retryDue = "retry due"
        /// The policy has gone without a connection for as long as it may.
        case absenceOver = "absence over"
        case heard
        case connected
        case connectFailed = "connect failed"
        case disconnected
        /// A discovery took too long.
        case failed
        case radioLost = "radio lost"
        case radioReturned = "radio returned"
        /// The platform says that the connection of an earlier program stands, or that it does not.
        case stands
        case standsNoMore = "stands no more"
    }

    /// The way to a state of the table.
    struct Way {
        var policy = ReconnectPolicy.never
        var tellsPresence = false
        var restored: ConnectionMachine.Restored?
        var events: [Event] = []
    }

    static let policy = ReconnectPolicy(maximumTimeouts: 2, maximumDisconnections: 2, backoff: .constant(.seconds(3)))

    /// The way to each state of the table; "held" is a connection under a policy.
    static let ways: [String: Way] = [
        "new": Way(),
        "connecting": Way(events: [.joined]),
        "connecting for two": Way(events: [.joined, .joined]),
        "aborting": Way(events: [.joined, .callerCancelled]),
        "aborting, wanted again": Way(events: [.joined, .callerCancelled, .joined]),
        "connected": Way(events: [.joined, .connected]),
        "disconnecting": Way(events: [.joined, .connected, .forced]),
        "disconnecting, wanted again": Way(events: [.joined, .connected, .forced, .joined]),
        "disconnecting as lost": Way(events: [.joined, .connected, .failed]),
        "trying": Way(policy: policy, events: [.joined]),
        "awaiting": Way(policy: policy, tellsPresence: true, events: [.joined]),
        "timed out": Way(policy: policy, events: [.joined, .callerTimedOut]),
        "timed out twice": Way(policy: policy, events: [.joined, .callerTimedOut, .callerTimedOut]),
        "before a retry": Way(policy: policy, events: [.joined, .connectFailed]),
        "failed twice": Way(policy: policy, events: [.joined, .connectFailed, .retryDue, .connectFailed, .retryDue]),
        "held": Way(policy: policy, events: [.joined, .connected]),
        "held, disconnecting": Way(policy: policy, events: [.joined, .connected, .forced]),
        "held, disconnecting as lost": Way(policy: policy, events: [.joined, .connected, .failed]),
        "held, disconnecting, lost and forced": Way(policy: policy, events: [.joined, .connected, .failed, .forced]),
        "held, disconnecting, timed out": Way(
            policy: policy, events: [.joined, .connected, .forced, .joined, .callerTimedOut]),
        "lost": Way(policy: policy, events: [.joined, .connected, .disconnected]),
        "lost too often": Way(
            policy: policy,
            events: [
                .joined, .connected, .disconnected, .retryDue, .connected, .disconnected, .retryDue, .connected,
            ]),
        "restoring": Way(policy: policy, events: [.joined, .connected, .disconnected, .retryDue]),
        "restoring, joined": Way(policy: policy, events: [.joined, .connected, .disconnected, .retryDue, .joined]),
        "restoring, timed out": Way(
            policy: policy, events: [.joined, .connected, .disconnected, .retryDue, .attemptTimedOut]),
        "awaiting the lost": Way(
            policy: policy, tellsPresence: true, events: [.joined, .connected, .disconnected, .retryDue]),
        "awaiting the lost, joined": Way(
            policy: policy, tellsPresence: true, events: [.joined, .connected, .disconnected, .retryDue, .joined]),
        "without a radio": Way(policy: policy, events: [.joined, .connected, .radioLost]),
        "restored": Way(restored: .stood),
        "restored under a policy": Way(policy: policy, restored: .stood),
        "restored attempt": Way(restored: .attempted),
        "restored attempt, failed": Way(policy: policy, restored: .attempted, events: [.standsNoMore, .connectFailed]),
        "restored attempt without a radio": Way(
            policy: policy, restored: .attempted, events: [.standsNoMore, .radioLost]),
        "restored and unwanted": Way(restored: .stood, events: [.forced]),
        "taking up": Way(restored: .stood, events: [.stands]),
        "taken up, joined": Way(restored: .stood, events: [.stands, .joined, .connected]),
        "taking up the unwanted": Way(restored: .stood, events: [.forced, .stands]),
        "connecting restoring stood": Way(policy: policy, restored: .stood, events: [.stands]),
        "awaiting stood": Way(policy: policy, tellsPresence: true, restored: .stood, events: [.joined]),
        "awaiting restoring stood": Way(policy: policy, tellsPresence: true, restored: .stood, events: [.stands]),
        "connecting attempted": Way(policy: policy, restored: .attempted, events: [.joined]),
        "connecting restoring attempted": Way(policy: policy, restored: .attempted, events: [.stands]),
        "awaiting attempted": Way(policy: policy, tellsPresence: true, restored: .attempted, events: [.joined]),
        "awaiting restoring attempted": Way(
            policy: policy, tellsPresence: true, restored: .attempted, events: [.stands]),
        "aborting forced": Way(policy: policy, events: [.joined, .forced]),
        "aborting to retry stood": Way(policy: policy, restored: .stood, events: [.joined, .callerTimedOut]),
        "before a retry stood": Way(policy: policy, restored: .stood, events: [.joined, .connectFailed]),
        "before the radio stood": Way(policy: policy, restored: .stood, events: [.joined, .radioLost]),
        "connecting restoring unwanted": Way(policy: policy, restored: .stood, events: [.forced, .stands]),
        "aborting to retry restoring stood": Way(
            policy: policy, restored: .stood, events: [.stands, .attemptTimedOut]),
        "before a retry restoring stood": Way(policy: policy, restored: .stood, events: [.stands, .connectFailed]),
        "awaiting restoring unwanted": Way(
            policy: policy, tellsPresence: true, restored: .stood, events: [.forced, .stands]),
        "awaiting unwanted": Way(tellsPresence: true, restored: .stood, events: [.forced, .stands]),
        "aborting to retry attempted": Way(policy: policy, restored: .attempted, events: [.joined, .callerTimedOut]),
        "before a retry attempted": Way(policy: policy, restored: .attempted, events: [.joined, .connectFailed]),
        "aborting to retry restoring attempted": Way(
            policy: policy, restored: .attempted, events: [.stands, .attemptTimedOut]),
        "aborting forced to retry": Way(policy: policy, events: [.joined, .forced, .joined, .callerTimedOut]),
        "disconnecting as lost to retry": Way(
            policy: policy, restored: .stood, events: [.joined, .connected, .failed, .callerTimedOut]),
        "disconnecting as lost forced to retry": Way(
            policy: policy, restored: .stood, events: [.connected, .failed, .forced, .joined, .callerTimedOut]),
    ]

    /// The states in which neither the app nor its policy wants a connection.
    static let unwanted: Set<String> = [
        "new", "aborting", "disconnecting", "disconnecting, wanted again", "disconnecting as lost",
        "held, disconnecting", "held, disconnecting, lost and forced", "held, disconnecting, timed out",
        "restored and unwanted", "aborting forced", "aborting forced to retry", "disconnecting as lost forced to retry",
    ]

    @Test func `every state stands in the table, with every event`() {
        #expect(Self.table.gaps(of: Event.allCases.map(\.rawValue)) == [])
        #expect(Set(Self.table.states.keys) == Set(Self.ways.keys))
    }

    @Test func `no event leads to a state that is not in the table`() {
        let ways = [ReconnectPolicy.never, Self.policy].flatMap { policy in
            [false, true].flatMap { tellsPresence in
                [nil, ConnectionMachine.Restored.stood, .attempted].map { restored in
                    Way(policy: policy, tellsPresence: tellsPresence, restored: restored)
                }
            }
        }
        #expect(Set(ways.flatMap { Subject($0).shapes(after: 8) }) == Self.table.shapes)
    }

    @Test func `whatever can happen to the machine is an event of the table`() throws {
        #expect(try Subject.uncalledMethods(of: "CentralRole/ConnectionMachine.swift", by: #filePath) == [])
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
        try Subject.expectRowsBehind(name, in: Self.table) { state, other in
            let (way, otherWay) = (Self.ways[state], Self.ways[other])
            return way?.policy == otherWay?.policy && way?.tellsPresence == otherWay?.tellsPresence
        }
    }

    @Test
    func `beginnings and ends are counted, so that what belongs to one connection or end never meets another`() throws {
        for row in Self.table.rows {
            var subject = Subject(row.state)
            let before = subject.machine
            subject.take(try #require(Event(rawValue: row.event)))
            let turns = row.actions.count { $0.hasPrefix("open") || $0.hasPrefix("close") }
            #expect(subject.machine.generation == before.generation + UInt64(turns), "\(row.pair)")
            let ends = row.actions.count { $0 == "answerEnders" }
            #expect(subject.machine.endCount == before.endCount + UInt64(ends), "\(row.pair)")
        }
    }

    @Test func `an attempt without a timeout is not bounded`() {
        var machine = ConnectionMachine()
        machine.restore(.attempted, timeout: nil)
        let actions = machine.takeUp(stands: false, .init())
        #expect(actions == [.publish(.connecting), .countAttempt, .startCallersTime, .connect])
    }

    @Test(arguments: ways.keys.sorted())
    func `a connection is wanted in every state but those that are listed`(name: String) {
        #expect(Subject(name).isWanted == !Self.unwanted.contains(name))
    }
}

extension ConnectionMachineTests {
    /// A machine with the callers that wait.
    struct Subject: MachineSubject {
        private(set) var machine = ConnectionMachine()
        private var surroundings = ConnectionMachine.Surroundings()

        /// The state of the machine, and the number of callers.
        var description: String {
            surroundings.callers > 0 ? "\(machine) for \(surroundings.callers)" : machine.description
        }

        var isWanted: Bool { machine.isWanted(callers: surroundings.callers, policy: surroundings.policy) }

        /// A machine in a state of the table.
        init(_ state: String) { self.init(ways[state] ?? Way()) }

        init(_ way: Way) {
            surroundings.policy = way.policy
            surroundings.tellsPresence = way.tellsPresence
            if let restored = way.restored { machine.restore(restored, timeout: .seconds(5)) }
            for event in way.events { take(event) }
        }

        /// Takes an event, and returns the machine's actions in words.
        @discardableResult
        mutating func take(_ event: Event) -> [String] {
            switch event {
            case .joined: join()
            case .callerTimedOut: leave(isTimeout: true)
            case .callerCancelled: leave(isTimeout: false)
            case .forced: perform(machine.forceEnd())
            case .attemptTimedOut: perform(machine.timedOut(surroundings))
            case .retryDue: perform(machine.retry(surroundings))
            case .absenceOver: perform(machine.absenceOver(surroundings))
            case .heard: perform(machine.heard(surroundings))
            case .connected: perform(machine.connected(maximumTransmissionUnit: nil))
            case .connectFailed: perform(machine.connectFailed(.unsupported, surroundings))
            case .disconnected: perform(machine.disconnected(.disconnected, surroundings))
            case .failed: perform(machine.fail(.serviceDiscoveryTimeout))
            case .radioLost: perform(machine.radioLost(.poweredOff, surroundings))
            case .radioReturned: perform(machine.radioReturned(surroundings))
            case .stands: perform(machine.takeUp(stands: true, surroundings))
            case .standsNoMore: perform(machine.takeUp(stands: false, surroundings))
            }
        }

        private mutating func join() -> [String] {
            machine.asked(timeout: .seconds(5))
            surroundings.callers += 1
            return perform(machine.joined(surroundings))
        }

        private mutating func leave(isTimeout: Bool) -> [String] {
            surroundings.callers > 0 ? perform(machine.left(surroundings, isTimeout: isTimeout)) : []
        }

        private mutating func perform(_ actions: [ConnectionMachine.Action]) -> [String] {
            actions.map { action in
                switch action {
                case .answerCaller: surroundings.callers -= 1
                case .answerCallers, .report: surroundings.callers = 0
                default: break
                }
                return Self.words(action)
            }
        }

        private static func words(_ action: ConnectionMachine.Action) -> String {
            switch action {
            case .publish(let state): "publish \(state)"
            case .send(.disconnected(let error)): "send disconnected \(name(of: error))"
            case .send(let event): "send \(event)"
            case .answerCallers(let error): "answerCallers \(name(of: error))"
            case .startAttemptTime(let time): "startAttemptTime \(time)"
            case .startRetry(let delay): "startRetry \(delay)"
            case .open(let isAgain, _): isAgain ? "open again" : "open"
            case .close(let reason): "close \(reason)"
            default: "\(action)"
            }
        }

        private static func name(of error: PeripheralError) -> String {
            error == .forcedDisconnect ? "forcedDisconnect" : "\(error.reason)"
        }
    }
}
