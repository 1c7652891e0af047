// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapVirtual

@Suite("The generator")
struct GeneratorTests {
    @Test func `gives SplitMix64's published numbers`() {
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<5).map { _ in generator.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `gives participants streams of their own`() {
        var one = SeededGenerator(seed: 1, name: "one")
        var two = SeededGenerator(seed: 1, name: "two")
        #expect(one.next() != two.next())
    }

    @Test func `gives noise around zero with the deviation asked for`() {
        var generator = SeededGenerator(seed: 3)
        let values = (0..<20_000).map { _ in generator.nextNoise(deviation: 2) }
        let mean = values.reduce(0, +) / 20_000
        let variance = values.reduce(0) { $0 + $1 * $1 } / 20_000
        #expect(abs(mean) < 0.1)
        #expect(abs(variance - 4) < 0.2)
    }

    @Test func `gives durations up to the limit`() {
        var generator = SeededGenerator(seed: 4)
        let durations = (0..<1000).map { _ in generator.nextDuration(upTo: .milliseconds(10)) }
        #expect(durations.allSatisfy { $0 >= .zero && $0 < .milliseconds(10) })
        #expect(generator.nextDuration(upTo: .zero) == .zero)
    }

    @Test(arguments: [(0.0, 0), (1.0, 1000)])
    func `loses nothing with probability 0 and all with 1`(probability: Double, expected: Int) {
        var generator = SeededGenerator(seed: 5)
        #expect((0..<1000).count { _ in generator.happens(probability) } == expected)
    }
}

@Suite("The path-loss model")
struct PathLossTests {
    @Test func `is received up to about a hundred metres and gets weaker on the way`() throws {
        let strengths = [0.1, 1, 2, 5, 10, 50, 100].compactMap { VirtualProximity.metres($0).meanRSSI }
        #expect(strengths.count == 7)
        #expect(strengths == strengths.sorted(by: >))
        #expect(VirtualProximity.metres(120).meanRSSI == nil)
    }

    @Test(arguments: [-1, 0, .infinity, -.infinity, .nan, 1e300])
    func `takes any number for a distance`(distance: Double) {
        let strength = VirtualProximity.metres(distance).meanRSSI
        #expect(strength.map { $0 <= 0 } ?? true)
    }
}
