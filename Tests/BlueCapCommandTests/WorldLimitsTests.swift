// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct WorldLimitsTests {
    private func refusal(_ text: String) throws -> String? {
        let path = FileManager.default.temporaryDirectory.appending(path: "world-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: CommandFailure.self) { try WorldFile.read(path) }
        #expect(error?.status == .usage)
        return error?.message
    }

    @Test(arguments: [1, 100_000])
    func `a world of too many bytes is refused`(excess: Int) throws {
        let world = #"{"world": 1, "devices": []}"#
        let space = String(repeating: " ", count: WorldFile.maximumByteCount + excess - world.utf8.count)
        let size = WorldFile.maximumByteCount + excess
        let reason = "a world has at most \(WorldFile.maximumByteCount) bytes, and this has \(size)"
        #expect(try refusal(world + space)?.hasSuffix(reason) == true)
    }

    @Test func `a world of too many devices is refused`() throws {
        let devices = Array(repeating: #"{"services": ["Battery"]}"#, count: WorldFile.maximumDevices + 1)
        let text = #"{"world": 1, "devices": ["# + devices.joined(separator: ",") + "]}"
        #expect(try refusal(text)?.contains("at most \(WorldFile.maximumDevices) devices") == true)
    }
}
