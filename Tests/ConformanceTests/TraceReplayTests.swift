#if BlueZ && os(Linux)
import FakeBlueZ
import Foundation
import Testing
import PrivateBus
import TraceReplay

/// The scripted daemon says what the real one said when the traces were recorded in the test bed.
@Suite("The scripted daemon replays what was recorded of the real one", .serialized, .timeLimit(.minutes(1)))
struct TraceReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../TestBed/traces").standardized.path

    @Test("every trace is replayed, but for those that are listed as records")
    func completeness() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".trace") }
        #expect(Set(files) == Set((Trace.replayable + Trace.records).map { $0 + ".trace" }))
    }

    @Test("trace", arguments: Trace.replayable)
    func replay(_ name: String) async throws {
        let world = try await FakeWorld()
        let trace = try Trace(name: name, folder: Self.folder)
        let result: Result<Void, any Error>
        do {
            try await TraceReplay.run(trace, in: world, limit: .seconds(30))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await world.close()
        try result.get()
    }
}

extension FakeWorld: ReplayWorld {
    package var busAddress: String { bus.address }

    package func killDaemon() async throws { await fake.kill() }

    package func startDaemon() async throws { try await fake.start() }

    package func restartDaemon() async throws {
        await fake.terminate()
        try await fake.start()
    }

    package func setAdapter(present isPresent: Bool) async throws {
        try await fake.with { try $0.setAdapter(present: isPresent) }
    }
}
#endif
