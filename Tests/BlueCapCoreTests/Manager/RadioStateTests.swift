// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The state of a radio and the calls that wait for it, on a manual clock and without a radio.
@Suite("Radio state", .timeLimit(.minutes(60)))
struct RadioStateTests {
    typealias State = RadioState<RoomStage>

    static let failure = BackendFailure(name: "org.example.NoAdapter", message: "no adapter")

    @Test func `the owner loses the radio before its waiting calls are answered, and has it back after them`()
        async throws
    {
        try await RoomStage.run { stage, _ in
            await stage.change(to: .poweredOn)
            #expect(await stage.takeNotes() == ["returned"])
            await stage.change(to: .poweredOff)
            #expect(await stage.takeNotes() == ["lost: poweredOff"])
            await stage.wait("a")
            await stage.wait("b")
            await stage.change(to: .poweredOn)
            #expect(await stage.takeNotes() == ["a: on", "b: on", "returned"])
            #expect(stage.radio.current == .poweredOn)
        }
    }

    @Test func `whoever asks for the states while the loss is handled is given no state of before`() async throws {
        try await RoomStage.run { stage, _ in
            await stage.change(to: .poweredOn)
            await stage.change(to: .poweredOff)
            await stage.change(to: .resetting)
            stage.radio.finish()
            var states: [ManagerState] = []
            for await state in await stage.statesSinceLoss { states.append(state) }
            #expect(states == [.poweredOff, .resetting])
        }
    }

    @Test func `a state that is reported again changes its reason only`() async throws {
        try await RoomStage.run { stage, _ in
            await stage.change(to: .poweredOff)
            #expect(stage.radio.reason == .poweredOff)
            await stage.change(to: .poweredOff, Self.failure)
            #expect(stage.radio.reason == .backend(Self.failure))
            #expect(await stage.takeNotes() == [])
        }
    }

    @Test(arguments: [ManagerState.unknown, .resetting, .poweredOff])
    func `a call waits while the radio may come on, until its time has passed`(_ state: ManagerState) async throws {
        try await RoomStage.run { stage, time in
            await stage.change(to: state)
            await stage.wait("a", within: .seconds(3))
            await stage.wait("b")
            await time.pass(2)
            #expect(await stage.takeNotes() == [])
            await time.pass(1)
            #expect(await stage.takeNotes() == ["a: \(CentralManagerError.powerOnTimeout)"])
            #expect(stage.radio.waiterCount == 1)
        }
    }

    @Test func `a call whose time has passed is given the reason of the platform`() async throws {
        try await RoomStage.run { stage, time in
            await stage.change(to: .poweredOff, Self.failure)
            await stage.wait("a", within: .seconds(1))
            await time.pass(1)
            #expect(await stage.takeNotes() == ["a: \(CentralManagerError.backend(Self.failure))"])
        }
    }

    @Test func `an answer takes the deadline back`() async throws {
        try await RoomStage.run { stage, time in
            await stage.wait("a", within: .seconds(1))
            await stage.change(to: .poweredOn)
            #expect(await stage.takeNotes() == ["a: on", "returned"])
            #expect(await stage.deadlineCount == 0)
            #expect(time.clock.timerCount == 0)
        }
    }

    @Test(arguments: [
        (ManagerState.unsupported, nil, CentralManagerError.unsupported),
        (.unsupported, failure, .backend(failure)), (.unauthorized, nil, .unauthorized),
        (.unauthorized, failure, .backend(failure)),
    ])
    func `a call that waiting does not help ends at once`(
        _ state: ManagerState, _ failure: BackendFailure?, _ error: CentralManagerError
    ) async throws {
        try await RoomStage.run { stage, _ in
            await stage.wait("a")
            await stage.change(to: state, failure)
            await stage.wait("b")
            #expect(await stage.takeNotes() == ["a: \(error)", "b: \(error)"])
        }
    }

    @Test func `the end of the owner ends its waiting calls, and those that come later`() async throws {
        try await RoomStage.run { stage, _ in
            await stage.wait("a")
            await stage.invalidate()
            await stage.act { $0.radio.resolveAll($0) }
            await stage.wait("b")
            let ended = CentralManagerError.invalidated
            #expect(await stage.takeNotes() == ["a: \(ended)", "b: \(ended)"])
        }
    }

    @Test func `a task that waits is freed by its cancellation`() async throws {
        try await RoomStage.run { stage, time in
            let call = Call(on: time.executor) { try await stage.waitUntilPoweredOn(timeout: .seconds(5)) }
            await time.idle()
            #expect(stage.radio.waiterCount == 1)
            call.cancel()
            await time.idle()
            #expect(call.error as? CentralManagerError == .cancelled)
            #expect(await stage.deadlineCount == 0)
        }
    }
}

extension RoomStage {
    fileprivate func change(to state: ManagerState, _ failure: BackendFailure? = nil) {
        radio.changed(to: state, failure, self)
    }

    /// Waits for the radio; the answer is written down.
    fileprivate func wait(_ name: String, within timeout: Duration? = nil) {
        let notes = callback { (stage: isolated RoomStage, answer: RadioStateTests.State.Answer) in
            switch answer {
            case .success: stage.note("\(name): on")
            case .failure(let error): stage.note("\(name): \(error)")
            }
        }
        radio.wait(radio.makeNumber(), timeout: timeout, self, resume: notes)
    }
}
