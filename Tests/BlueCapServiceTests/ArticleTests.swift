// SPDX-License-Identifier: MIT

#if Metrics && ServiceLifecycle
import BlueCap
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreMetrics
#if Configuration
import Configuration
#endif
import Foundation
import Logging
import ServiceLifecycle
import Testing
import UnixSignals

@Suite("The article on running as a service", .timeLimit(.minutes(60)))
struct ArticleTests {
    private func article() throws -> String {
        try text("../../Sources/BlueCapCore/Documentation.docc/RunningAsAService.md")
    }

    /// The text of a file, by its path from this folder.
    private func text(_ path: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `names every metric with its dimensions, and every value of a dimension`() async throws {
        let text = try article()
        try await MetricsWorld.run { world in
            let central = try await world.central()
            let (manager, local) = try await world.peripheral()
            let (_, remote) = try await world.connect(central)
            try await remote.write([1], timeout: .seconds(3))
            try local.update([2])
            await manager.invalidate()
            await central.invalidate()
            let keys = world.metrics.keys
            #expect(Set(keys.map(\.label)).count == 18)
            for key in keys {
                let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(key.label)` |") }
                let columns = try #require(row, "\(key.label) is not in the table").split(separator: "|")
                let documented = columns[2].split(whereSeparator: { !$0.isLetter }).map(String.init)
                #expect(Set(documented) == Set(key.dimensions.keys), "\(key.label)")
                for value in key.dimensions.values { #expect(text.contains("`\(value)`"), "\(key.label)") }
            }
        }
    }

    /// The code of the article, word for word.
    func group(
        central: CentralManager, peripherals: PeripheralManager, gateway: any ServiceLifecycle.Service
    ) async throws {
        let group = ServiceGroup(
            services: [central, peripherals, gateway], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "gateway"))
        try await group.run()
    }

    /// The same without a group.
    func program(
        central: CentralManager, peripherals: PeripheralManager,
        follow: @escaping @Sendable (CentralManager) async throws -> Void
    ) async throws {
        try await Interruption.ends { try await follow(central) }
        // Side by side, as each waits for a Bluetooth service that does not answer.
        async let unended = central.invalidate()
        async let unremoved = peripherals.invalidate()
        _ = await (unended, unremoved)
    }

    #if Configuration
    func settings() async throws -> (central: CentralManager, policy: ReconnectPolicy, timeout: Duration) {
        // The variables BLUETOOTH_ADAPTER, BLUETOOTH_RECONNECT_MAXIMUM_ABSENCE, BLUETOOTH_TIMEOUT and others.
        let reader = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "bluetooth")
        let central = try await CentralManager(reader)
        let policy = try await ReconnectPolicy(reader.scoped(to: "reconnect"))
        let timeout = try await Duration(secondsIn: reader, forKey: "timeout")
        return (central, policy, timeout ?? .seconds(5))
    }
    #endif

    @Test func `has no code that is not compiled`() throws {
        let compiled = try ["ArticleTests.swift", "MetricsWorld.swift"].map { path in
            try lines(text(path)).joined(separator: "\n")
        }
        let blocks = try article().components(separatedBy: "```swift\n").dropFirst().map {
            lines($0.components(separatedBy: "```")[0]).joined(separator: "\n")
        }
        #expect(blocks.count == 4)
        for block in blocks where !compiled.contains(where: { $0.contains(block) }) {
            Issue.record("not compiled:\n\(block)")
        }
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
#endif
