// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The actions of a registration's machine, and its next state, for each state and each event.
struct RegistrationMachineTests {
    enum Event: String, CaseIterable {
        case settles
        case settlesBehindOthers = "settles behind others"
        case settlesWithoutRadio = "settles without a radio"
        /// The request that is under way is answered; where there is none, an addition that was lost.
        case accepted
        case refused
        /// An addition that was lost is answered.
        case acceptedLate = "accepted late"
        case refusedLate = "refused late"
        case changed
        case placed
        case withdrawn
        case suspended
        case forgotten
        case ended
    }

    @Test func `every state stands in the table, with every event`() {
        #expect(Self.table.gaps(of: Event.allCases.map(\.rawValue)) == [])
        #expect(Set(Self.table.states.keys) == Set(Self.ways.keys))
    }

    @Test func `no event leads to a state that is not in the table`() {
        let subjects = [false, true].map { Subject(isEstablished: $0) }
        #expect(Set(subjects.flatMap { $0.shapes(after: 12) }) == Self.table.shapes)
    }

    @Test func `whatever can happen to the machine is an event of the table`() throws {
        let file = "PeripheralRole/RegistrationMachine.swift"
        #expect(try Subject.uncalledMethods(of: file, by: Subject.file) == [])
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

    @Test func `an addition that was refused before another one was made does not excuse that a removal fails`() {
        var subject = Subject(isEstablished: false)
        for event in [Event.settles, .refusedLate, .accepted, .withdrawn, .settles] { subject.take(event) }
        #expect(subject.take(.refused) == ["publish", "fail absence"])
    }
}
