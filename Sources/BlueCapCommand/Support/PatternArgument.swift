// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// A pattern of a passive scan as it is written on the command line: `FF:4C00`, or `16:0F18@0` with its place.
struct PatternArgument: ExpressibleByArgument, Sendable {
    let pattern: AdvertisingPattern

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1)
        let bytes = parts.last?.split(separator: "@", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].count <= 2, let type = UInt8(parts[0], radix: 16), let text = bytes.first,
            let content = try? Bytes(hex: String(text)), let start = bytes.count == 2 ? Int(bytes[1]) : 0
        else { return nil }
        pattern = AdvertisingPattern(type: type, content: content, start: start)
    }
}
