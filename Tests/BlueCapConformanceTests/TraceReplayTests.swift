// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapFakeBlueZ
import Foundation
import Testing
import BlueCapPrivateBus
import BlueCapTraceReplay

/// The scripted daemon says what the real one said when the traces were recorded in the test bed.
@Suite("The scripted daemon replays what was recorded of the real one", .serialized, .timeLimit(.minutes(5)))
struct TraceReplayTests {
    static func folder(_ version: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../TestBed/traces/\(version)").standardized.path
    }

    private static func names(_ version: String) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder(version))
        return Set(files.filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(".trace".count)) })
    }

    @Test func `every trace is replayed, but for those that are listed as records`() throws {
        let all = Set(Trace.replayable + Trace.records)
        #expect(try Self.names("5.66") == all)
        #expect(try Self.names("5.87").isSubset(of: all))
    }

    @Test(arguments: Trace.replayable)
    func `trace`(_ name: String) async throws { try await replay(name, of: "5.66") }

    @Test(arguments: Trace.unchanged)
    func `trace of bluetoothd 5.87`(_ name: String) async throws { try await replay(name, of: "5.87") }

    @Test func `a replay waits until an earlier client's discovery is over`() async throws {
        let world = try await FakeWorld()
        let trace = try Trace(name: "scan", folder: Self.folder("5.66"))
        let loop = try EventLoop()
        let earlier = try await BusConnection.open(BusAddress(world.busAddress), on: loop)
        func ask(_ member: String) async throws {
            _ = try await earlier.call(
                .methodCall(
                    to: "org.bluez", path: "/org/bluez/hci0", interface: "org.bluez.Adapter1", member: member))
        }
        try await ask("StartDiscovery")
        async let replay: Void = TraceReplay.run(trace, in: world, limit: .seconds(30))
        // It has time enough to begin.
        for _ in 0..<50 { try await ask("GetDiscoveryFilters") }
        try await ask("StopDiscovery")
        await earlier.close()
        await loop.stop()
        try await replay
        await world.close()
    }

    private func replay(_ name: String, of version: String) async throws {
        let world = try await FakeWorld()
        let trace = try Trace(name: name, folder: Self.folder(version))
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
