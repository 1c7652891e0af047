// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapSerDe

/// The units of a channel, as the bed tells them.
struct ChannelUnits: Decodable {
    let units: [String]

    var bytes: [Bytes] {
        get throws { try units.map { try Bytes(hex: $0) } }
    }
}

/// All units of a channel that arrived, in their order.
struct UnitSummary: Decodable {
    let sha256: String
    /// From the first to the last.
    let seconds: Double
}

/// Units that the bed made up.
struct UnitDigest: Decodable { let sha256: String }
#endif
