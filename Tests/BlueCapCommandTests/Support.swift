// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

@testable import BlueCapCommand

/// An output that keeps the printed lines.
final class RecordedOutput: LineOutput {
    let screen: ScreenSize?
    let columns: Int?
    private let printed = Locked<[String]>([])
    private let frames = Locked<[[String]]>([])
    private let limit: Int?

    /// - Parameter limit: After how many lines the reader goes away.
    init(screen: ScreenSize? = nil, columns: Int? = nil, limit: Int? = nil) {
        self.screen = screen
        self.columns = columns
        self.limit = limit
    }

    var lines: [String] { printed.withLock { $0 } }
    var drawings: [[String]] { frames.withLock { $0 } }

    func line(_ text: String) throws(OutputClosed) {
        let count = printed.withLock { lines in
            lines.append(text)
            return lines.count
        }
        if let limit, count >= limit { throw OutputClosed() }
    }

    func draw(_ lines: [DrawnLine]) throws(OutputClosed) { frames.withLock { $0.append(lines.map(\.output)) } }
}

/// Runs `body` in the world of a file in simulated time.
func inWorld(
    _ text: String, name: String = "world.json",
    _ body: @escaping @Sendable (VirtualRadio, CentralManager) async throws -> Void
) async throws {
    let file = try WorldFile.parse(Array(text.utf8), name: name)
    try await inWorld(seed: file.seed ?? 1, made: { try FileWorld(radio: $0, file, name: name) }) { radio, central in
        try await central.requireRadio()
        try await body(radio, central)
    }
}

/// Runs `body` in the virtual town in simulated time.
func inTown(
    seed: UInt64 = 1, _ body: @escaping @Sendable (VirtualRadio, CentralManager) async throws -> Void
) async throws {
    try await inWorld(seed: seed, made: { try FileWorld(radio: $0, WorldFile(shipped: ShippedWorlds.town)) }, body)
}

private func inWorld(
    seed: UInt64, made: @escaping @Sendable (VirtualRadio) throws -> FileWorld,
    _ body: @escaping @Sendable (VirtualRadio, CentralManager) async throws -> Void
) async throws {
    try await VirtualRadio.run(seed: seed) { radio in
        let world = try made(radio)
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await world.run() }
            defer { group.cancelAll() }
            try await body(radio, central)
        }
        await central.invalidate()
    }
}
