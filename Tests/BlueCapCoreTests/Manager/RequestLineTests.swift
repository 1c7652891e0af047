// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The requests of a manager, on a manual clock and without a radio.
@Suite("Request line", .timeLimit(.minutes(60)))
struct RequestLineTests {
    /// One thing that happens to the line. Requests are called by the numbers that they get, from 1.
    enum Step: Sendable {
        case begin(AttributeID, of: PeerIdentifier = .one, within: Duration? = nil)
        case reply(UInt64)
        case fail(UInt64)
        case abandon(UInt64)
        case drain(AttributeID)
        case drainPeripheral(PeerIdentifier?)
        case refuse
        case pass(Int)
    }

    /// Steps, and the notes that they leave.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [(Step, [String])]

        init(_ description: String, _ steps: [(Step, [String])]) {
            testDescription = description
            self.steps = steps
        }
    }

    static let level = AttributeID(handle: 1)
    static let other = AttributeID(handle: 2)

    static let stories = [
        Story(
            "requests of a lane go one at a time, and the next is sent before the caller of the last is answered",
            [
                (.begin(level), ["send #1"]), (.begin(level), []), (.begin(other), ["send #3"]),
                (.reply(1), ["send #2", "#1 replied"]), (.fail(3), ["#3 failed"]), (.reply(2), ["#2 replied"]),
            ]),
        Story(
            "a timeout frees the caller of a request that was sent, and its reply completes no other",
            [
                (.begin(level, within: .seconds(5)), ["send #1"]), (.begin(level), []), (.pass(4), []),
                (.pass(1), ["#1 timed out"]), (.reply(1), ["send #2"]), (.reply(1), []), (.reply(2), ["#2 replied"]),
            ]),
        Story(
            "the timeout of a queued request runs from its beginning",
            [
                (.begin(level), ["send #1"]), (.pass(2), []), (.begin(level, within: .seconds(3)), []), (.pass(2), []),
                (.pass(1), ["#2 timed out"]), (.reply(1), ["#1 replied"]),
            ]),
        Story(
            "a reply in time takes the deadline back",
            [(.begin(level, within: .seconds(1)), ["send #1"]), (.reply(1), ["#1 replied"]), (.pass(2), [])]),
        Story(
            "of two timeouts each comes at its own time",
            [
                (.begin(level, within: .seconds(9)), ["send #1"]), (.begin(other, within: .seconds(3)), ["send #2"]),
                (.pass(3), ["#2 timed out"]), (.pass(6), ["#1 timed out"]),
            ]),
        Story(
            "a request that is abandoned before it is sent is never sent",
            [
                (.begin(level), ["send #1"]), (.begin(level), []), (.abandon(2), ["#2 was cancelled"]),
                (.reply(1), ["#1 replied"]), (.reply(2), []),
            ]),
        Story(
            "the requests of a lane that is drained end in order, and no other request",
            [
                (.begin(level), ["send #1"]), (.begin(level), []), (.begin(other), ["send #3"]),
                (.drain(level), ["#1 is gone", "#2 is gone"]), (.reply(1), []), (.reply(3), ["#3 replied"]),
            ]),
        Story(
            "the end of a link ends its requests, sent and queued, and no others",
            [
                (.begin(level), ["send #1"]), (.begin(level, of: .two), ["send #2"]), (.begin(level), []),
                (.drainPeripheral(.one), ["#1 failed", "#3 failed"]), (.reply(2), ["#2 replied"]),
                (.reply(1), []),
            ]),
        Story(
            "everything ends together in the order of its beginning",
            [
                (.begin(level, within: .seconds(1)), ["send #1"]), (.begin(level, of: .two), ["send #2"]),
                (.begin(level), []), (.drainPeripheral(nil), ["#1 failed", "#2 failed", "#3 failed"]), (.pass(1), []),
            ]),
        Story(
            "a request that is refused is not sent",
            [(.refuse, []), (.begin(level), ["#1 failed"]), (.reply(1), [])]),
    ]

    @Test(arguments: stories)
    func `each request is answered once, in the order of the story`(_ story: Story) async throws {
        try await RoomStage.run { stage, time in
            for (step, notes) in story.steps {
                if case .pass(let seconds) = step { await time.pass(seconds) } else { await stage.take(step) }
                #expect(await stage.takeNotes() == notes, "\(step)")
            }
            #expect(await stage.deadlineCount == 0)
        }
    }

    @Test func `a reply that finds no waiting caller is counted`() async throws {
        try await RoomStage.run { stage, time in
            await stage.take(.begin(Self.level, within: .seconds(1)))
            await time.pass(1)
            await stage.take(.reply(1))
            await stage.take(.reply(1))
            #expect(await stage.lateReplyCount == 2)
        }
    }

    @Test func `a task that waits for a request is freed by its cancellation`() async throws {
        try await RoomStage.run { stage, time in
            let call = Call(on: time.executor) {
                await stage.perform(.read(.one, Self.level), timeout: .seconds(5)).text
            }
            await time.idle()
            #expect(!call.isDone)
            call.cancel()
            await time.idle()
            #expect(call.value == "was cancelled")
            #expect(await stage.deadlineCount == 0)
        }
    }
}

extension RoomStage {
    fileprivate var lateReplyCount: Int { requests.lateReplyCount }

    fileprivate func take(_ step: RequestLineTests.Step) {
        switch step {
        case .begin(let attribute, let peripheral, let timeout):
            let id = requests.makeID()
            requests.begin(id, .read(peripheral, attribute), in: .value(attribute), timeout: timeout, self) {
                $0.note("\(id) \($1.text)")
            }
        case .reply(let number): requests.finish(RequestID(rawValue: number), .success(.done), self)
        case .fail(let number): requests.finish(RequestID(rawValue: number), .failure(.unsupported), self)
        case .abandon(let number): requests.abandon(RequestID(rawValue: number), .cancelled, self)
        case .drain(let attribute):
            let operation = CentralOperation.read(.one, attribute)
            let lane = lane(of: operation, id: RequestID(rawValue: 0), kind: .value(attribute))
            requests.drain(lane, self) { _ in .gone("2A19") }
        case .drainPeripheral(let peripheral): requests.drain(peripheral, .failed(.disconnected), self)
        case .refuse: refuse(with: .failed(.poweredOff))
        case .pass: break
        }
    }
}

extension Outcome {
    fileprivate var text: String {
        switch self {
        case .reply: "replied"
        case .failed: "failed"
        case .timedOut: "timed out"
        case .cancelled: "was cancelled"
        case .invalidated: "was invalidated"
        case .gone: "is gone"
        }
    }
}
