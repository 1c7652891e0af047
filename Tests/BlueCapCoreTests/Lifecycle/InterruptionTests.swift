// SPDX-License-Identifier: MIT

import BlueCapPlatform
import BlueCapRuntime
import Synchronization
import Testing

@testable import BlueCapCore

@Suite("The end of a program", .timeLimit(.minutes(60)))
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

    /// A time that no test lasts, so that each signal is the same as the one before.
    private static let ever = UInt64(3600) * 1_000_000_000

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `each of the signals cancels a body from its beginning on`(_ number: Int32) async {
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            _ = signal(SIGHUP, SIG_DFL)
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
            SignalRecord.span.store(0, ordering: .relaxed)
            await Interruption.ends {
                kill(getpid(), SIGINT)
                await InterruptionTests.untilCancelled()
                kill(getpid(), SIGINT)
                await InterruptionTests.forEver()
            }
        }
    }

    @Test func `for half a second after the first a signal is the same one, and ends the process then`() async {
        #expect(SignalRecord.span.load(ordering: .relaxed) == 500_000_000)
        await #expect(processExitsWith: .signal(SIGTERM)) {
            await Interruption.ends {
                kill(getpid(), SIGTERM)
                await InterruptionTests.untilCancelled()
                while true { kill(getpid(), SIGTERM) }
            }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal that is sent twice cancels the body, and ends neither that nor what comes after it`(
        _ number: Int32
    ) async {
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            _ = signal(SIGHUP, SIG_DFL)
            SignalRecord.span.store(InterruptionTests.ever, ordering: .relaxed)
            let ended = await Interruption.ends {
                kill(getpid(), number)
                kill(getpid(), number)
                await InterruptionTests.untilCancelled()
                kill(getpid(), number)
            }
            kill(getpid(), number)
            #expect(ended?.number == number)
        }
    }

    @Test func `the signals with which systemd ends a service do not cut its end short`() async {
        await #expect(processExitsWith: .success) {
            _ = signal(SIGHUP, SIG_DFL)
            SignalRecord.span.store(InterruptionTests.ever, ordering: .relaxed)
            let ended = await Interruption.ends {
                for number in [SIGTERM, SIGHUP, SIGCONT] { kill(getpid(), number) }
                await InterruptionTests.untilCancelled()
            }
            for number in [SIGTERM, SIGHUP, SIGCONT] { kill(getpid(), number) }
            #expect(ended != nil)
        }
    }

    @Test func `the end of the terminal stays ignored, and stays the program's that handles it`() async {
        await #expect(processExitsWith: .success) {
            _ = signal(SIGHUP, SIG_IGN)
            await Interruption.ends { kill(getpid(), SIGHUP) }
        }
        await #expect(processExitsWith: .exitCode(3)) {
            _ = signal(SIGHUP) { _ in _exit(3) }
            // The handler runs on the main thread, at a time of its own.
            await Interruption.ends {
                kill(getpid(), SIGHUP)
                await InterruptionTests.untilCancelled()
            }
        }
    }

    #if os(Linux)
    @Test func `a signal that came has the action of before again when it is no longer the same one`() async {
        await #expect(processExitsWith: .success) {
            SignalRecord.span.store(1_000_000, ordering: .relaxed)
            _ = signal(SIGTERM, SIG_DFL)
            await Interruption.ends {
                kill(getpid(), SIGTERM)
                await InterruptionTests.untilCancelled()
            }
            var action = sigaction()
            repeat { unsafe sigaction(SIGTERM, nil, &action) } while unsafe action.__sigaction_handler.sa_handler != nil
        }
    }
    #endif

    @Test func `a wait after a signal waits for the next one`() async {
        await #expect(processExitsWith: .success) {
            SignalRecord.span.store(0, ordering: .relaxed)
            for signal in [Interruption.interrupt, .interrupt, .terminate] {
                let wait = InterruptionWatch.shared.begin()
                kill(getpid(), signal.number)
                #expect(await wait.next() == signal)
            }
        }
    }
    #endif
}
