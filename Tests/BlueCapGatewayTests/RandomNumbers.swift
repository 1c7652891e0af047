// SPDX-License-Identifier: MIT

#if Gateway
/// Numbers of a seed (SplitMix64).
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ range: ClosedRange<Int>) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return range.lowerBound + Int((bits ^ (bits >> 31)) % UInt64(range.count))
    }
}
#endif
