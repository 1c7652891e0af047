// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform

/// A board that is turned about in a hand: a swing along each axis and a tremor, all from a seed.
struct Motion: Sendable {
    private let seed: UInt64
    private let phases: [Double]

    init(seed: UInt64) {
        self.seed = seed
        var chance = SeededGenerator(seed: seed)
        phases = (0..<3).map { _ in chance.nextUnit() * 2 * .pi }
    }

    /// The acceleration in g at the sample with a number; the same for the same seed and number, and within ±1.5 g.
    func acceleration(_ index: Int) -> (x: Double, y: Double, z: Double) {
        var chance = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: index + 1) &* 0xA24B_AED4_963E_E407)
        let time = Double(index) / 10
        let axes = [0.9, 0.7, 0.6].enumerated().map { axis, amplitude in
            amplitude * sin(phases[axis] + time * (1.3 + 0.6 * Double(axis))) + (chance.nextUnit() - 0.5) * 0.12
        }
        return (axes[0], axes[1], axes[2] + 0.3)
    }
}
