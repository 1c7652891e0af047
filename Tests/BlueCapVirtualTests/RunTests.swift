// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapVirtual

@Suite("A run of the radio", .timeLimit(.minutes(60)))
struct RunTests {
    @Test func `lets a day pass at once`() async throws {
        let elapsed = try await VirtualRadio.run(limit: .seconds(100_000)) { radio in
            try await radio.clock.sleep(for: .seconds(86_400))
            return radio.clock.elapsed
        }
        #expect(elapsed == .seconds(86_400))
    }

    @Test func `runs its body and the body's children on the radio's executor`() async throws {
        try await VirtualRadio.run { radio in
            #expect(radio.executor.isCurrent)
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 { group.addTask { radio.executor.isCurrent } }
                for await isCurrent in group { #expect(isCurrent) }
            }
        }
    }

    @Test func `throws what its body throws, and returns what it returns`() async throws {
        await #expect(throws: UnexpectedReply.self) {
            try await VirtualRadio.run { _ in throw UnexpectedReply() }
        }
        #expect(try await VirtualRadio.run { $0.seed } == 1)
    }

    @Test func `that waits for nothing that can happen is ended with the reason`() async throws {
        await #expect(throws: VirtualRunError.stalled(at: .seconds(3))) {
            try await VirtualRadio.run(patience: .milliseconds(20)) { radio in
                try await radio.clock.sleep(for: .seconds(3))
                let (never, continuation) = AsyncStream<Int>.makeStream()
                for await _ in never {}
                continuation.finish()
            }
        }
    }

    @Test func `that does not end within its limit is ended with the reason`() async throws {
        await #expect(throws: VirtualRunError.limitReached(.seconds(60))) {
            try await VirtualRadio.run(limit: .seconds(60)) { radio in
                radio.add(VirtualPeripheral(name: "Tag"))
                let recorder = await Recorder.on(radio.central())
                await recorder.scan(ScanRequest(allowsDuplicates: true))
                _ = await recorder.sighting(of: "Nobody")
                try Task.checkCancellation()
            }
        }
    }

    @Test func `that cancellation does not end traps rather than hang`() async {
        await #expect(processExitsWith: .failure) {
            try await VirtualRadio.run(patience: .milliseconds(20)) { _ in
                unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
    }

    @Test func `an address that is none traps, and says what one is`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = VirtualRadio().peripheral(address: "C0:DE:01")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("six octets"))
    }

    @Test func `waits for a job from another thread when nothing else is left`() async throws {
        // The other threads are those of all tests at once.
        let value = try await VirtualRadio.run(patience: .seconds(3600)) { radio in
            try await radio.clock.sleep(for: .seconds(1))
            return await Task { @concurrent in
                await Task.yield()
                return 5
            }.value
        }
        #expect(value == 5)
    }

    @Test func `can follow another on the same radio, not run beside it`() async throws {
        let radio = VirtualRadio(clock: ManualClock())
        try await radio.run { radio in try await radio.clock.sleep(for: .seconds(1)) }
        try await radio.run(limit: .seconds(5)) { radio in
            try await radio.clock.sleep(for: .seconds(1))
            await #expect(throws: VirtualRunError.self) { try await radio.settle() }
        }
        #expect(radio.clock.elapsed == .seconds(2))
    }

    @Test func `cancels its body with its caller`() async throws {
        let task = Task {
            try await VirtualRadio.run(limit: .seconds(1_000_000_000)) { radio in
                while true { try await radio.clock.sleep(for: .seconds(1)) }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `on a clock that is not manual just runs`() async throws {
        let radio = VirtualRadio()
        let peripheral = VirtualPeripheral(
            name: "Tag", advertising: VirtualAdvertising(interval: .milliseconds(20)),
            connection: .init(interval: .microseconds(7500)))
        radio.add(peripheral)
        try await radio.run { radio in
            let recorder = await Recorder.on(radio.central())
            let failure = await recorder.connect(peripheral.identifier)
            #expect(failure == nil)
        }
    }

    @Test func `advancing outside of a run does everything at its own time`() async throws {
        let radio = VirtualRadio(clock: ManualClock())
        radio.add(VirtualPeripheral(name: "Tag"))
        let recorder = Recorder(radio.central())
        await recorder.start()
        try await radio.settle()
        #expect(await recorder.trace == ["0.0 seconds state poweredOn"])
        await recorder.scan(ScanRequest(allowsDuplicates: true))
        try await radio.advance(by: .seconds(10))
        #expect(radio.clock.elapsed == .seconds(10))
        let times = await recorder.entries.dropFirst().map(\.time)
        #expect((90...100).contains(times.count))
        #expect(Set(times).count == times.count)
    }

    @Test func `the executor outlives its radio for jobs that come late`() async {
        var radio: VirtualRadio? = VirtualRadio(clock: ManualClock())
        weak let released = radio
        let executor = radio?.executor
        radio = nil
        #expect(released == nil)
        var count = 0
        for _ in 0..<50 {
            count += await withCheckedContinuation { continuation in
                executor?.submit { continuation.resume(returning: 1) }
            }
        }
        #expect(count == 50)
    }

    @Test func `takes a body with what is not sendable`() async throws {
        final class Tally { var count = 0 }
        let tally = Tally()
        let count = try await VirtualRadio.run { radio in
            try await radio.clock.sleep(for: .seconds(1))
            tally.count += 1
            return tally.count
        }
        #expect(count == 1)
    }

    @Test @MainActor
    func `runs a body on the radio's executor that was written on the main actor`() async throws {
        let isCurrent = try await VirtualRadio.run { $0.executor.isCurrent }
        #expect(isCurrent)
    }
}
