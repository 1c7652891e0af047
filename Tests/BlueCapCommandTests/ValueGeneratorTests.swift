// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ValueGeneratorTests {
    /// The numbers of the first steps.
    private func numbers(_ generator: ValueGenerator, count: Int, seed: UInt64 = 1) -> [Double] {
        var last: Double?
        return (0..<count).map { step in
            let next = generator.number(step, after: last, seed: seed)
            last = next
            return next
        }
    }

    @Test(arguments: ValueGenerator.Form.allCases)
    func `every form stays between its ends, and moves`(form: ValueGenerator.Form) {
        for (first, last) in [(60.0, 120.0), (100, -20)] {
            let numbers = numbers(ValueGenerator(form, first, last), count: 300)
            #expect(numbers.allSatisfy { $0 >= min(first, last) && $0 <= max(first, last) })
            #expect(Set(numbers).count > 20)
        }
    }

    @Test func `a wave begins at its low end and is at the high one after 30 steps`() {
        let numbers = numbers(ValueGenerator(.wave, 60, 120), count: 61)
        #expect(numbers[0] == 60 && numbers[30] == 120 && abs(numbers[60] - 60) < 1e-9)
    }

    @Test func `a ramp runs from its first number to its last, and begins again`() {
        let numbers = numbers(ValueGenerator(.ramp, 100, 0), count: 62)
        #expect(numbers[0] == 100 && numbers[60] == 0 && numbers[61] == 100)
    }

    @Test(arguments: [ValueGenerator.Form.random, .walk])
    func `chance follows from the seed`(form: ValueGenerator.Form) {
        let generator = ValueGenerator(form, 0, 10)
        #expect(numbers(generator, count: 20) == numbers(generator, count: 20))
        #expect(numbers(generator, count: 20) != numbers(generator, count: 20, seed: 2))
    }

    @Test(arguments: [
        ("a=wave:1..2", "a", ValueGenerator(.wave, 1, 2)),
        ("battery level=RAMP:100..0:0.5", "battery level", ValueGenerator(.ramp, 100, 0, period: .milliseconds(500))),
        ("a.b=walk:-1.5..1", "a.b", ValueGenerator(.walk, -1.5, 1)),
    ])
    func `it is read from the command line`(text: String, name: String, generator: ValueGenerator) throws {
        let move = try #require(MoveArgument(argument: text))
        #expect(move.name == name && move.generator == generator)
    }

    @Test(arguments: [
        "a", "=wave:1..2", "a=", "a=wave", "a=wave:1", "a=wave:1..x", "a=tide:1..2", "a=wave:1..2:0", "a=wave:nan..2",
    ])
    func `what is none is refused`(text: String) {
        #expect(MoveArgument(argument: text) == nil)
    }
}
