#if BlueZ && os(Linux)
import FakeBlueZ
import Foundation
import Testing
import PrivateBus
import TraceReplay

/// The scripted daemon says what the real one said when the traces were recorded in the test bed.
@Suite("The scripted daemon replays what was recorded of the real one", .serialized, .timeLimit(.minutes(5)))
struct TraceReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../TestBed/traces").standardized.path

    @Test("trace", arguments: Trace.replayable)
    func replay(_ name: String) async throws {
        let world = try await FakeWorld()
        let trace = try Trace(name: name, folder: Self.folder)
        let result: Result<Void, any Error>
        do {
            try await TraceReplay.run(trace, on: world.bus.address) { try await world.peer($0) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await world.close()
        try result.get()
    }
}
#endif
