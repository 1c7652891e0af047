// SPDX-License-Identifier: MIT

/// A fault as it befell a world.
struct PlayedFault: Sendable, Hashable {
    /// The name of the device or adapter; nil for the platform.
    var subject: String?
    /// The fault, as the rest of a sentence.
    let text: String
}

/// The number of faults of a run, and of those among them that had a target. Their ends are not counted.
struct FaultTally: Sendable, Hashable {
    var all = 0
    var played = 0

    static func + (left: Self, right: Self) -> Self {
        Self(all: left.all + right.all, played: left.played + right.played)
    }

    /// A sentence for people.
    var text: String { "\(played) of \(all) faults had a device or an adapter to befall" }
}
