// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapTestExecutor

@testable import BlueCapCore

/// An owner of the rooms of a manager, without a radio: it writes down everything that the rooms ask of it.
actor RoomStage {
    nonisolated let executor: any BackendExecutor
    nonisolated let clock: BlueCapClock
    nonisolated let meter = RadioMeter(role: .central)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated let logger = RadioLog(CentralManager.Configuration().logger, .redacted)
    nonisolated let radio = RadioState<RoomStage>()
    nonisolated let pairing: PairingDesk<RoomStage>
    let requests = RequestLine<RoomStage>()
    var deadlines: DeadlineTimer<RoomStage> { requests.deadlines }
    /// The outcome of every request that is begun, if it is not sent.
    private var refusal: Outcome?
    private(set) var isInvalidated = false
    nonisolated let unclaimed = Locked(0)
    private var notes: [String] = []
    /// The states for a consumer that comes while the radio's loss is handled.
    private(set) var statesSinceLoss = AsyncStream<ManagerState> { nil }

    init(executor: any BackendExecutor, clock: ManualClock, acceptsJustWorks: Bool = false) {
        self.executor = executor
        pairing = PairingDesk(acceptsJustWorks: acceptsJustWorks)
        self.clock = clock.clock
    }

    /// Runs a test on a stage of its own, whose clock stands still until the test lets time pass.
    static func run(
        acceptsJustWorks: Bool = false, _ body: @Sendable (RoomStage, TestTime) async throws -> Void
    ) async throws {
        let time = TestTime()
        let stage = RoomStage(executor: time.executor, clock: time.clock, acceptsJustWorks: acceptsJustWorks)
        try await withTaskExecutorPreference(time.executor) { try await body(stage, time) }
    }

    /// Calls a room.
    func act(_ body: @Sendable (isolated RoomStage) -> Void) { body(self) }

    /// How many deadlines are left.
    var deadlineCount: Int { deadlines.count }

    func note(_ text: String) { notes.append(text) }

    func refuse(with outcome: Outcome?) { refusal = outcome }

    func invalidate() { isInvalidated = true }

    /// Everything that was written down since the last call.
    func takeNotes() -> [String] {
        defer { notes = [] }
        return notes
    }
}

/// The time of a stage, and the thread on which everything happens.
struct TestTime: Sendable {
    let clock = ManualClock()
    let executor = TestExecutor()

    /// Returns when every task waits for something.
    func idle() async { await executor.idle() }

    /// Lets seconds pass, and everything happen that falls due in them.
    func pass(_ seconds: Int) async {
        await executor.idle()
        clock.advance(by: .seconds(seconds))
        await executor.idle()
    }
}

extension RoomStage: RequestOwner {
    typealias Operation = CentralOperation

    func send(_ id: RequestID, _ operation: CentralOperation) { note("send \(id)") }

    func lane(
        of operation: CentralOperation, id: RequestID, kind: RequestLine<RoomStage>.Lane.Kind?
    ) -> RequestLine<RoomStage>.Lane {
        RequestLine<RoomStage>.Lane(peripheral: operation.peripheral, generation: 1, kind: kind ?? .single(id))
    }

    func refusal(of operation: CentralOperation) -> Outcome? { refusal }
}

extension RoomStage: StateOwner {
    typealias StateError = CentralManagerError

    func radioLost(_ reason: OperationFailure) {
        note("lost: \(reason)")
        statesSinceLoss = radio.states()
    }

    func radioReturned() { note("returned") }
}

/// The stage is its own backend of pairing.
extension RoomStage: PairingOwner, PairingBackend {
    nonisolated var pairingBackend: any PairingBackend { self }

    func setPairingCapability(_ capability: PairingCapability?) {
        note("capability \(capability.map { "\($0)" } ?? "none")")
    }

    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) { note("\(prompt.rawValue): \(answer)") }
}
