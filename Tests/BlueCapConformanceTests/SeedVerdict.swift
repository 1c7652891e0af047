// SPDX-License-Identifier: MIT

/// What came of a seed that has failed. What it gives when it is played again tells how rare the failure is, and takes
/// nothing back.
struct SeedVerdict<Failure: Error> {
    /// What failed first.
    let first: Failure
    /// How often it was played again, and how often it failed then.
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
