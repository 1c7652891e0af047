// SPDX-License-Identifier: MIT

/// The verdict about a seed that has failed. Playing it again shows how rare the failure is; the seed has failed even
/// if it then passes.
struct SeedVerdict<Failure: Error> {
    /// The first failure.
    let first: Failure
    /// The number of times that it was played again, and the number of failures among them.
    let attempts: Int
    let repeats: Int

    /// Plays a seed, and where it fails so many times again.
    ///
    /// - Parameter play: Plays it once, for the first time or again.
    /// - Returns: Nil where it passes at once.
    static func play(
        attempts: Int = 10, _ play: (_ isAgain: Bool) async -> Failure?
    ) async -> SeedVerdict? {
        guard let first = await play(false) else { return nil }
        var repeats = 0
        for _ in 0..<attempts where await play(true) != nil { repeats += 1 }
        return SeedVerdict(first: first, attempts: attempts, repeats: repeats)
    }
}
