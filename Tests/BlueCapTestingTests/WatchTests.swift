// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapTesting

@Suite("The watch between a manager and its backend")
struct WatchTests {
    private static let peer: PeerIdentifier = "C0:00:00:00:00:01"
    private static let prompt = PairingPrompt(id: .init(rawValue: 1), peer: peer, kind: .authorize)

    @Test func `takes a bond for wrong that the app did not agree to, and no other`() {
        var watch = PairingWatch()
        #expect(watch.bondChanged(Self.peer, true) != nil)
        _ = watch.bondChanged(Self.peer, false)
        let request = RequestID(rawValue: 1)
        watch.appAsked(Self.peer, by: request)
        watch.linkEnded(Self.peer)
        #expect(watch.bondChanged(Self.peer, true) == nil)
        _ = watch.bondChanged(Self.peer, false)
        watch.answered(request)
        #expect(watch.bondChanged(Self.peer, true) == nil)
        _ = watch.bondChanged(Self.peer, false)
        watch.linkEnded(Self.peer)
        #expect(watch.bondChanged(Self.peer, true) != nil)
    }

    @Test(arguments: [PairingAnswer.accept, .reject])
    func `takes an answer for the app's agreement, unless it is no`(answer: PairingAnswer) {
        var watch = PairingWatch()
        #expect(watch.capabilityWasSet(.noInputNoOutput) == nil)
        #expect(watch.requested(Self.prompt) == nil)
        #expect(watch.answered(Self.prompt.id, answer) == nil)
        #expect((watch.bondChanged(Self.peer, true) == nil) == (answer == .accept))
    }

    @Test func `takes a question for wrong that nobody wants, and a second answer to one`() {
        var watch = PairingWatch()
        #expect(watch.requested(Self.prompt) != nil)
        #expect(watch.capabilityWasSet(.noInputNoOutput) == nil)
        let second = PairingPrompt(id: .init(rawValue: 2), peer: Self.peer, kind: .authorize)
        #expect(watch.requested(second) == nil)
        #expect(watch.requested(second) != nil)
        #expect(watch.answered(second.id, .reject) == nil)
        #expect(watch.answered(second.id, .reject) != nil)
        #expect(watch.answered(.init(rawValue: 3), .reject) != nil)
        #expect(watch.ended(.init(rawValue: 4)) != nil)
    }

    @Test func `takes a change of the capability for wrong while a question is open, and no end of one let go of`() {
        var watch = PairingWatch()
        #expect(watch.capabilityWasSet(.displayYesNo) == nil)
        #expect(watch.requested(Self.prompt) == nil)
        #expect(watch.capabilityWasSet(.noInputNoOutput) != nil)
        #expect(watch.capabilityWasSet(nil) == nil)
        #expect(watch.ended(Self.prompt.id) == nil)
        #expect(watch.ended(Self.prompt.id) != nil)
    }

    @Test func `asks the backend behind it which option of an advertisement it cannot send`() {
        let watched = WatchedPeripheral(
            NarrowBackend(), watch: ServerWatch(journal: RunJournal(clock: ManualClock().clock)))
        #expect(watched.unsupportedOption(of: Advertisement(txPower: 4)) == .txPower)
        #expect(watched.unsupportedOption(of: Advertisement()) == nil)
    }

    @Test func `takes an access for wrong that is answered twice, or not in time`() {
        let clock = ManualClock()
        let journal = RunJournal(clock: clock.clock)
        let watch = ServerWatch(journal: journal)
        for number in 1...3 as ClosedRange<UInt64> {
            let access = AttributeAccess(
                id: AccessID(rawValue: number), attribute: AttributeID(handle: 1), central: nil,
                kind: .read(offset: 0))
            watch.saw(.access(access))
        }
        watch.toldToRespond(AccessID(rawValue: 1), .success([]))
        watch.saw(.accessCancelled(AccessID(rawValue: 2)))
        #expect(journal.violations.isEmpty)
        watch.toldToRespond(AccessID(rawValue: 1), .success([]))
        #expect(journal.violations.count == 1)
        clock.advance(by: .seconds(31))
        watch.checkThatAllWereAnswered(within: .seconds(30))
        #expect(journal.violations.count == 2)
        #expect(journal.violations.last?.contains("$3") == true)
    }

    @Test func `takes a link for wrong that is made twice, or that changes or ends while there is none`() {
        let journal = RunJournal(clock: ManualClock().clock)
        let watch = ServerWatch(journal: journal)
        let (resolvable, identity) = (PeerIdentifier("40:00:5E:00:53:0A"), PeerIdentifier("00:00:5E:00:53:0A"))
        func violationCount(after events: PeripheralEvent...) -> Int {
            for event in events { watch.saw(event) }
            return journal.violations.count
        }
        #expect(violationCount(after: .centralConnected(Central(identifier: resolvable))) == 0)
        #expect(violationCount(after: .centralChanged(resolvable, Central(identifier: identity))) == 0)
        #expect(violationCount(after: .centralConnected(Central(identifier: identity))) == 1)
        #expect(violationCount(after: .centralDisconnected(resolvable, nil, prepared: [:])) == 2)
        #expect(violationCount(after: .centralDisconnected(identity, nil, prepared: [:])) == 2)
        #expect(violationCount(after: .centralChanged(identity, Central(identifier: identity))) == 3)
        #expect(violationCount(after: .centralConnected(Central(identifier: identity))) == 3)
        #expect(violationCount(after: .stateChanged(.poweredOff, nil)) == 3)
        #expect(violationCount(after: .centralConnected(Central(identifier: identity))) == 3)
    }

    @Test func `takes an update for wrong that is made while another one of the characteristic is under way`() {
        let journal = RunJournal(clock: ManualClock().clock)
        let watch = ServerWatch(journal: journal)
        func update(_ number: UInt64, of handle: UInt16) {
            let operation = PeripheralOperation.update(AttributeID(handle: handle), [], central: nil)
            watch.toldToPerform(PeripheralRequest(id: RequestID(rawValue: number), operation: operation))
        }
        update(1, of: 1)
        update(2, of: 2)
        watch.saw(.reply(RequestID(rawValue: 1), .success(())))
        update(3, of: 1)
        #expect(journal.violations.isEmpty)
        update(4, of: 1)
        #expect(journal.violations.count == 1)
    }
}

/// A backend that cannot send the transmit power, and does nothing else.
private actor NarrowBackend: PeripheralBackend {
    nonisolated let executor: any BackendExecutor = TestExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated let features: PeripheralFeatures = []
    nonisolated let accessTimeLimit: Duration? = nil

    nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        advertisement.txPower == nil ? nil : .txPower
    }

    nonisolated func isSendable(_ error: ATTError) -> Bool { true }
    nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? { nil }
    func activate(clock: BlueCapClock, sink: PeripheralEventSink) {}
    func invalidate() {}
    func perform(_ request: PeripheralRequest) {}
    func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {}
}
