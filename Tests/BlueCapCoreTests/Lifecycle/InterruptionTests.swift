// SPDX-License-Identifier: MIT

import BlueCapPlatform
import BlueCapRuntime
import Testing

@testable import BlueCapCore

@Suite("The end of a program", .timeLimit(.minutes(5)))
struct InterruptionTests {
    private struct Failed: Error, Equatable {}

    /// Returns when the task is cancelled.
    static func untilCancelled() async {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        continuation.finish()
    }

    /// Does not return, whether or not the task is cancelled.
    static func forEver() async { await Task { await untilCancelled() }.value }

    private let box = InterruptionWait.Box(capacity: .newest(1))

    @Test func `a signal cancels the body, which ends in its own time`() async {
        box.push(.terminate)
        let hasCleanedUp = Locked(false)
        let signal = await Interruption.ends(InterruptionWait(box)) {
            await Self.untilCancelled()
            await Task.yield()
            hasCleanedUp.withLock { $0 = true }
        }
        #expect(signal == .terminate)
        #expect(hasCleanedUp.withLock { $0 })
    }

    @Test func `an error that a body throws after a signal is dropped`() async throws {
        box.push(.interrupt)
        let signal = try await Interruption.ends(InterruptionWait(box)) { () throws(Failed) in
            await Self.untilCancelled()
            throw Failed()
        }
        #expect(signal == .interrupt)
    }

    @Test func `a body that ends by itself ends the wait`() async {
        #expect(await Interruption.ends(InterruptionWait(box)) {} == nil)
    }

    @Test func `an error of the body is thrown by its type`() async {
        let error = await #expect(throws: Failed.self) {
            try await Interruption.ends(InterruptionWait(box)) { () throws(Failed) in throw Failed() }
        }
        #expect(error == Failed())
    }

    @Test func `a cancelled task gets the error of its body`() async {
        let (box, begun) = (box, AsyncStream.makeStream(of: Void.self))
        let task = Task {
            try await Interruption.ends(InterruptionWait(box)) { () throws(Failed) in
                begun.continuation.finish()
                await Self.untilCancelled()
                throw Failed()
            }
        }
        for await _ in begun.stream {}
        task.cancel()
        await #expect(throws: Failed.self) { try await task.value }
    }

    @Test func `a wait ends with the cancellation of its task`() async {
        let task = Task { await Interruption.wait() }
        task.cancel()
        #expect(await task.value == nil)
    }

    #if !os(Windows) && !os(WASI)
    // Each of these runs in a process of its own, as a signal is for a whole process.

    @Test(arguments: [SIGINT, SIGTERM])
    func `both signals cancel a body from its beginning on`(_ number: Int32) async {
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            let signal = await Interruption.ends {
                kill(getpid(), number)
                await InterruptionTests.untilCancelled()
            }
            #expect(signal?.number == number)
        }
    }

    @Test func `all that wait get the signal`() async {
        await #expect(processExitsWith: .success) {
            let (first, second) = (InterruptionWatch.shared.begin(), InterruptionWatch.shared.begin())
            kill(getpid(), SIGINT)
            #expect(await first.next() == .interrupt)
            #expect(await second.next() == .interrupt)
        }
    }

    @Test func `the second signal ends the process`() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            await Interruption.ends {
                kill(getpid(), SIGINT)
                await InterruptionTests.untilCancelled()
                kill(getpid(), SIGINT)
                await InterruptionTests.forEver()
            }
        }
    }

    @Test func `after the end a signal has the action that it had before`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            _ = signal(SIGTERM, SIG_DFL)
            await Interruption.ends {}
            kill(getpid(), SIGTERM)
            await InterruptionTests.forEver()
        }
    }

    @Test func `a wait after a signal waits for the next one`() async {
        await #expect(processExitsWith: .success) {
            for signal in [Interruption.interrupt, .interrupt, .terminate] {
                let wait = InterruptionWatch.shared.begin()
                kill(getpid(), signal.number)
                #expect(await wait.next() == signal)
            }
        }
    }
    #endif
}
