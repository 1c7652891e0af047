// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import Foundation

/// Units without a pattern, the same each time, and their SHA-256.
struct UnitLoad {
    let units: [Bytes]

    init(count: Int, size: Int, seed: UInt64 = 1) {
        // A multiplicative generator modulo 2^64, of which the upper bits are used.
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        units = (0..<count).map { _ in
            Bytes(
                (0..<size).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                })
        }
    }

    init(_ units: [Bytes]) { self.units = units }

    /// In hexadecimal digits, as coreutils say it.
    var sha256: String {
        get throws {
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            // It reads all of them before it writes its only line.
            for unit in units { try input.fileHandleForWriting.write(contentsOf: Data(unit)) }
            try input.fileHandleForWriting.close()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return String(text.prefix(64))
        }
    }
}

extension Channel {
    /// The next units, fewer where the channel ends.
    func next(_ count: Int) async throws(ChannelError) -> [Bytes] {
        var units: [Bytes] = []
        var iterator = makeAsyncIterator()
        while units.count < count, let unit = try await iterator.next() { units.append(unit) }
        return units
    }
}
#endif
