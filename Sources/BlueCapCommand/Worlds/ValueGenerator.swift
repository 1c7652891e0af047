// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapPlatform

/// Numbers that move: `wave:60..120`, or `ramp:100..0:5` for a step every five seconds.
struct ValueGenerator: Sendable, Hashable {
    enum Form: String, CaseIterable, Sendable {
        /// Up and down as a sine, 30 steps from one end to the other.
        case wave
        /// From the first number to the second in 60 steps, and again.
        case ramp
        /// Anywhere between the two.
        case random
        /// A little more or less each time.
        case walk
    }

    var form: Form
    var first: Double
    var last: Double
    var period = Duration.seconds(1)

    /// For help texts.
    static let help = """
        A value is moved by NAME=FORM:FIRST..LAST[:SECONDS]; NAME.PART names one of
        several numbers in a value. The forms:
          wave     up and down between the two     2A37=wave:60..120
          ramp     from the first to the last      "battery level=ramp:100..0:5"
          random   anywhere between                2A6E=random:18..25
          walk     a little more or less           2A6F=walk:40..60
        """

    init(_ form: Form, _ first: Double, _ last: Double, period: Duration = .seconds(1)) {
        (self.form, self.first, self.last, self.period) = (form, first, last, period)
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (2...3).contains(parts.count), let form = Form(rawValue: parts[0].lowercased()),
            let dots = parts[1].firstRange(of: ".."), let first = Double(parts[1][..<dots.lowerBound]),
            let last = Double(parts[1][dots.upperBound...]), first.isFinite, last.isFinite
        else { return nil }
        (self.form, self.first, self.last) = (form, first, last)
        guard parts.count == 3 else { return }
        guard let period = Seconds(argument: parts[2])?.duration, period >= .milliseconds(10) else { return nil }
        self.period = period
    }

    /// The number of a step, from 0; the same for the same seed and step.
    ///
    /// - Parameter previous: The number of the step before; nil for the first.
    func number(_ step: Int, after previous: Double?, seed: UInt64) -> Double {
        var chance = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: step + 1) &* 0xA24B_AED4_963E_E407)
        let (low, high) = (min(first, last), max(first, last))
        switch form {
        case .wave: return low + (high - low) * (1 - cos(Double(step) / 30 * .pi)) / 2
        case .ramp: return first + (last - first) * Double(step % 61) / 60
        case .random: return low + (high - low) * chance.nextUnit()
        case .walk:
            guard let previous else { return (low + high) / 2 }
            return min(max(previous + (high - low) * (chance.nextUnit() - 0.5) / 5, low), high)
        }
    }
}

/// A value that is moved, as the command line names it.
struct MoveArgument: ExpressibleByArgument, Sendable {
    /// The characteristic, with the part of its value behind a point if need be.
    var name: String
    var generator: ValueGenerator

    init(_ name: String, _ generator: ValueGenerator) { (self.name, self.generator) = (name, generator) }

    init?(argument: String) {
        guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex,
            let generator = ValueGenerator(String(argument[argument.index(after: equals)...]))
        else { return nil }
        (name, self.generator) = (String(argument[..<equals]), generator)
    }
}

/// A number within the value of an emulated characteristic.
struct MovedValue: Sendable {
    let characteristic: MutableCharacteristic
    private let place: NumberInValue

    /// - Parameter part: The name of the number, in capitals or not; nil for the first that can be written.
    /// - Returns: Nil where the value has no such number.
    init?(_ characteristic: MutableCharacteristic, part: String?) {
        guard let place = NumberInValue(characteristic.offeredProfile, value: characteristic.value, part: part) else {
            return nil
        }
        (self.characteristic, self.place) = (characteristic, place)
    }

    var part: String { place.part }

    var number: Double? { place.number(in: characteristic.value) }

    /// The numbers that it can be, for people; nil where they are not known.
    var numbers: String? { TypedValue.numbers(of: part, place.profile, characteristic.value) }

    /// The value with another number; nil where the number is out of range.
    func bytes(for number: Double) -> Bytes? { place.bytes(for: number, in: characteristic.value) }
}
