// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapFakeBlueZ
import BlueCapLoop
import Foundation
import Testing
import BlueCapPrivateBus
import BlueCapTraceReplay

/// The scripted daemon sends the messages of the real one, as recorded in the traces of the test bed.
@Suite("The scripted daemon replays what was recorded of the real one", .serialized, .timeLimit(.minutes(60)))
struct TraceReplayTests {
    static func folder(_ version: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../TestBed/traces/\(version)").standardized.path
    }

    private static func names(_ version: String) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder(version))
        return Set(files.filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(".trace".count)) })
    }

    @Test func `every trace is replayed, some in the test bed only`() throws {
        let all = Set(Trace.replayable + Trace.ofPasskeys)
        #expect(try Self.names("5.66") == all)
        #expect(try Self.names("5.87").isSubset(of: all))
    }

    @Test(arguments: Trace.replayable)
    func `trace`(_ name: String) async throws { try await replay(name, of: "5.66") }

    @Test(arguments: Trace.unchanged)
    func `trace of bluetoothd 5.87`(_ name: String) async throws { try await replay(name, of: "5.87") }

    /// A recorded text, and the text that the test puts in its place.
    struct Change: Sendable, CustomTestStringConvertible {
        let trace: String
        let member: String
        let recorded: String
        let changed: String

        var testDescription: String { "\(recorded) of \(member) in \(trace)" }

        /// Whether the error of a replay is about the change: it names the message that came, which is as it was
        /// recorded, or the value that was put in its place.
        func isNamed(by error: ReplayError) -> Bool {
            let value = changed.firstRange(of: ":{").map { "{" + changed[$0.upperBound...] } ?? changed
            return error.description.contains(recorded) || error.description.contains(value)
        }
    }

    @Test(arguments: [
        Change(
            trace: "connect", member: "GetManagedObjects", recorded: #""Primary":{"b":true}"#,
            changed: #""Primary":{"b":false}"#),
        Change(
            trace: "connect", member: "GetManagedObjects", recorded: #"["indicate"]"#, changed: #"["notify"]"#),
        Change(trace: "connect", member: "GetManagedObjects", recorded: "/desc0019", changed: "/desc0020"),
        Change(
            trace: "battery", member: "GetManagedObjects", recorded: "org.bluez.Battery1", changed: "org.bluez.Other1"),
        Change(trace: "scan", member: "PropertiesChanged", recorded: #"{"ay":"0304"}"#, changed: #"{"ay":"0305"}"#),
        Change(
            trace: "scan", member: "InterfacesAdded", recorded: #""TxPower":{"n":4}"#, changed: #""TxPower":{"n":5}"#),
        Change(
            trace: "scan", member: "InterfacesAdded", recorded: #""Name":{"s":"Heart"}"#,
            changed: #""Name":{"s":"Head"}"#),
        Change(
            trace: "scan-unfiltered", member: "PropertiesChanged", recorded: #"{"n":-80}"#, changed: #"{"n":-81}"#),
        Change(
            trace: "serve", member: "PropertiesChanged", recorded: #""Name":{"s":"Far"}"#,
            changed: #""Name":{"s":"Fur"}"#),
    ])
    func `a replay fails where something else was recorded`(_ change: Change) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bluecap-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = "\(change.trace).trace"
        let text = try String(contentsOfFile: "\(Self.folder("5.66"))/\(file)", encoding: .utf8)
        let lines = text.split(separator: "\n").map { line -> String in
            guard line.contains(" B>"), line.contains(change.member) else { return String(line) }
            return String(line).replacing(change.recorded, with: change.changed)
        }
        #expect(lines.joined(separator: "\n") + "\n" != text)
        try lines.joined(separator: "\n").write(to: folder.appending(path: file), atomically: true, encoding: .utf8)
        let error = await #expect(throws: ReplayError.self) {
            try await replay(change.trace, in: folder.path)
        }
        #expect(error.map(change.isNamed) == true, "\(error as Any)")
    }

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
        async let replay: Void = TraceReplay.run(trace, in: world)
        // It has time enough to begin.
        for _ in 0..<50 { try await ask("GetDiscoveryFilters") }
        try await ask("StopDiscovery")
        await earlier.close()
        await loop.stop()
        try await replay
        await world.close()
    }

    private func replay(_ name: String, of version: String) async throws {
        try await replay(name, in: Self.folder(version))
    }

    private func replay(_ name: String, in folder: String) async throws {
        let trace = try Trace(name: name, folder: folder)
        let world = try await FakeWorld()
        let result: Result<Void, any Error>
        do {
            try await TraceReplay.run(trace, in: world)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await world.close()
        try result.get()
    }
}

/// A trace needs a feature that only the test bed has.
private struct NoTestBed: Error {}

extension FakeWorld: ReplayWorld {
    package var busAddress: String { bus.address }

    package func send(_ command: String, to device: Int) async throws -> String { throw NoTestBed() }

    package func letKernelFinish(within limit: Duration) async throws { await fake.settle() }

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
