// SPDX-License-Identifier: MIT

/// The radio's source of chance: SplitMix64 (Steele, Lea, Flood 2014), the same numbers from the same seed everywhere.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A stream of its own for one participant, so that another participant does not change the numbers of the present
    /// ones.
    package init(seed: UInt64, name: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.init(seed: seed ^ hash)
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, 1.
    package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Whether something of the given probability happens.
    package mutating func happens(_ probability: Double) -> Bool { probability > 0 && nextUnit() < probability }

    /// A duration from zero up to `limit`, in whole nanoseconds.
    mutating func nextDuration(upTo limit: Duration) -> Duration {
        let nanoseconds = limit.components.seconds * 1_000_000_000 + limit.components.attoseconds / 1_000_000_000
        guard nanoseconds > 0 else { return .zero }
        return .nanoseconds(Int64(nextUnit() * Double(nanoseconds)))
    }

    /// Noise around zero with the given standard deviation, of nearly normal shape and bounded by 3.5 deviations.
    mutating func nextNoise(deviation: Double) -> Double {
        guard deviation > 0 else { return 0 }
        let sum = nextUnit() + nextUnit() + nextUnit() + nextUnit()
        return (sum - 2) * deviation * 1.7320508075688772
    }
}
