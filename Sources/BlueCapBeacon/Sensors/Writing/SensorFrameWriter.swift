// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Writes the frame of a format that has given values: the way back from ``SensorFormat/reading(of:name:)``.
///
/// Values share bytes: two may be the quotient and the remainder of one integer, and a pattern may make several of them
/// unknown. So each step is tried on a copy, and the finished frame is read again.
struct SensorFrameWriter {
    private enum Target {
        case number(Double)
        case state(Bool)
        case unknown
    }

    /// A value that the frame is to have.
    private struct Goal {
        /// The name of the value in the dictionary of values.
        var key: String
        var index: Int
        var target: Target
    }

    private let format: SensorFormat
    private var goals: [Goal] = []
    private var frame: Bytes
    /// The sums of the integers that several fields have put at one place.
    private var sums: [SensorPlace: Int64] = [:]

    /// - Throws: A name that the format does not have, and a value of another type.
    init(_ format: SensorFormat, _ values: [String: SensorSetting]) throws(SensorFrameError) {
        self.format = format
        frame = Bytes([UInt8](repeating: 0, count: format.parts.lengths.lowerBound))
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { try goals.append(goal(key, value)) }
    }

    private func goal(_ key: String, _ value: SensorSetting) throws(SensorFrameError) -> Goal {
        let titles = format.valueTitles
        let found = titles.indices.filter { titles[$0] == key }
        guard let first = found.first else {
            let known = format.valueNames.map { "'\($0)'" }.joined(separator: ", ")
            throw Self.error(.value(key), "'\(format.name)' has no such value: it has \(known)")
        }
        for index in found {
            guard let target = Self.target(value, format.parts.fields[index]) else { continue }
            return Goal(key: key, index: index, target: target)
        }
        let field = format.parts.fields[first]
        let units = found.map { format.parts.fields[$0].parts.unit }.filter { !$0.isEmpty }.joined(separator: " or ")
        let kind = units.isEmpty ? "a number" : "a number in \(units)"
        throw Self.error(
            .value(key), "this is " + (field.parts.kind.states.map { "'\($0.off)' or '\($0.on)'" } ?? kind))
    }

    /// The name and the number of `"temperature 2"`.
    static func parts(of key: String) -> (name: Substring, ordinal: Int) {
        guard let space = key.lastIndex(of: " "), let number = Int(key[key.index(after: space)...]), number > 1 else {
            return (key[...], 1)
        }
        return (key[..<space], number)
    }

    private static func target(_ value: SensorSetting, _ field: SensorField) -> Target? {
        switch (value, field.parts.kind.states) {
        case (.unknown, _): .unknown
        case (.number(let number), nil): number.isFinite ? .number(number) : nil
        case (.word(let word), nil): number(word, field.parts.unit).map { .number($0) }
        case (.state(let isOn), .some): .state(isOn)
        case (.word(let word), let states?): [states.off, states.on].firstIndex(of: word).map { .state($0 == 1) }
        case (.number, .some), (.state, nil): nil
        }
    }

    /// The number of `"160 lb"`.
    static func number(_ word: String, _ unit: String) -> Double? {
        guard !unit.isEmpty, word.hasSuffix(" " + unit), let number = Double(word.dropLast(unit.count + 1)) else {
            return nil
        }
        return number.isFinite ? number : nil
    }

    private static func error(_ part: SensorFrameError.Part, _ reason: String) -> SensorFrameError {
        SensorFrameError(part: part, reason: reason)
    }

    // MARK: The frame

    /// - Returns: The frame, and how it is read.
    mutating func write(
        counter: UInt64, name: String?, address: Bytes?
    ) throws(SensorFrameError) -> (frame: Bytes, reading: SensorReading) {
        put(address)
        if let pattern = format.parts.patterns.first(where: { $0.fits(frame) }) ?? format.parts.patterns.first {
            pattern.stamp(&frame)
        }
        let wanted = goals.map { (field: format.parts.fields[$0.index], target: $0.target) }
        for (field, _) in wanted { field.parts.condition?.stamp(&frame) }
        for (field, target) in wanted {
            guard case .number(let number) = target else { continue }
            field.parts.fault?.unfit(&frame)
            if let number = field.parts.scale.integer(number), number < 0 {
                field.parts.negative?.stamp(&frame)
            } else {
                field.parts.negative?.unfit(&frame)
            }
        }
        for (goal, (field, target)) in zip(goals, wanted) {
            if case .unknown = target { continue }
            guard put(target, field) else { throw misfit(goal) }
        }
        if let goal = goals.first(where: { !isRight($0) }) { throw misfit(goal) }
        for goal in goals {
            guard case .unknown = goal.target else { continue }
            if !forget(goal.index) { throw Self.error(.value(goal.key), notKnown) }
        }
        for index in format.parts.fields.indices where !goals.contains(where: { $0.index == index }) {
            guard format.parts.fields[index].isPresent(in: frame), !forget(index) else { continue }
            throw Self.error(.values, "'\(format.valueTitles[index])' is missing, and \(notKnown)")
        }
        put(counter)
        format.parts.check?.stamp(&frame)
        guard let reading = format.reading(of: frame, name: name), goals.allSatisfy({ isRight($0, atEnd: true) }) else {
            throw Self.error(.values, "no frame of '\(format.name)' has these values together")
        }
        return (frame, reading)
    }

    private var notKnown: String { "a frame of '\(format.name)' with these values cannot say that it is not known" }

    private func misfit(_ goal: Goal) -> SensorFrameError {
        Self.error(.value(goal.key), "a frame of '\(format.name)' cannot have this value")
    }

    private mutating func put(_ address: Bytes?) {
        guard let place = format.parts.address else { return }
        // A device that does not know it sends ones.
        let address = address ?? Bytes([UInt8](repeating: 0xFF, count: SensorFormat.addressByteCount))
        let bytes = place.isReversed ? Bytes(address.reversed()) : address
        for (index, byte) in bytes.prefix(SensorFormat.addressByteCount).enumerated() {
            frame[place.offset + index] = byte
        }
    }

    private mutating func put(_ number: UInt64) {
        guard let counter = format.parts.counter else { return }
        let count = UInt64(min(counter.place.integers.upperBound, counter.place.greatest)) + 1
        var integer = number % count
        // Each integer that means "not known" is passed over, and there are at most so many in a row.
        for _ in counter.unknown where counter.unknown.contains(Int64(integer)) { integer = (integer + 1) % count }
        counter.place.put(Int64(integer), &frame)
    }

    // MARK: Values

    private func isRight(_ goal: Goal, atEnd: Bool = false) -> Bool {
        let field = format.parts.fields[goal.index]
        guard field.isPresent(in: frame) else { return false }
        let number = field.number(in: frame)
        switch goal.target {
        case .unknown: return number == nil || !atEnd
        case .state(let isOn): return number == (isOn ? 1 : 0)
        case .number(let wanted): return number.map { field.isNear($0, wanted) } ?? false
        }
    }

    private mutating func put(_ target: Target, _ field: SensorField) -> Bool {
        switch target {
        case .unknown: return true
        case .state(false): return add(0, field)
        case .state(true): return (1...17).contains { !field.parts.unknown.contains($0) && add($0, field) }
        case .number(let number):
            guard let integer = field.parts.scale.integer(number) else { return false }
            return add(field.parts.negative == nil ? integer : abs(integer), field)
        }
    }

    /// Puts an integer into the frame from which a field gets it back, beside those of others at the same place.
    private mutating func add(_ integer: Int64, _ field: SensorField) -> Bool {
        var (quotient, low) = (integer, Int64(0))
        if let addend = field.parts.addend {
            let most = min(addend.integers.upperBound, addend.greatest)
            let rest = (integer % field.parts.factor + field.parts.factor) % field.parts.factor
            quotient = min(
                (integer - rest) / field.parts.factor, field.parts.place.integers.upperBound / field.parts.divisor)
            let (product, isLost) = quotient.multipliedReportingOverflow(by: field.parts.factor)
            if isLost { return false }
            low = integer - product
            guard (addend.integers.lowerBound...most).contains(low) else { return false }
        } else if field.parts.factor > 1 {
            quotient = Int64((Double(integer) / Double(field.parts.factor)).rounded())
        }
        let (part, isLost) = quotient.multipliedReportingOverflow(by: field.parts.divisor)
        if isLost { return false }
        if let modulus = field.parts.modulus, !(0..<modulus).contains(part) { return false }
        let (sum, isTooGreat) = (sums[field.parts.place] ?? 0).addingReportingOverflow(part)
        guard !isTooGreat, field.parts.place.put(sum, &frame) else { return false }
        sums[field.parts.place] = sum
        return field.parts.addend.map { $0.put(low, &frame) } ?? true
    }

    // MARK: Values that are not known

    /// Has a field say that its value is not known, and leaves the others as they are.
    private mutating func forget(_ index: Int) -> Bool {
        let field = format.parts.fields[index]
        let (place, addend) = (field.parts.place, field.parts.addend)
        if attempt(index, { _ in true }) { return true }
        let most = place.integers.upperBound / field.parts.divisor
        let reduced = field.parts.modulus.map { min(most, ($0 - 1) / field.parts.divisor) } ?? most
        let possible = [reduced, reduced - 1].compactMap { quotient -> Int64? in
            let (integer, isLost) = quotient.multipliedReportingOverflow(by: field.parts.factor)
            return isLost ? nil : integer
        }
        for integer in field.parts.unknown + possible where attempt(index, { $0.add(integer, field) }) { return true }
        let above = place.greatest == .max ? [] : [place.greatest + 1]
        let whole = [place.integers.upperBound, place.integers.lowerBound, -1] + above
        // The integer as a whole is the field's alone.
        if sums[place] == nil {
            for integer in whole where attempt(index, { place.put(integer, &$0.frame) }) { return true }
        }
        if let addend, attempt(index, { addend.put(addend.integers.upperBound, &$0.frame) }) { return true }
        return field.parts.fault.map { fault in
            attempt(index) {
                fault.stamp(&$0.frame)
                return true
            }
        } ?? false
    }

    private mutating func attempt(_ index: Int, _ change: (inout Self) -> Bool) -> Bool {
        var trial = self
        let field = format.parts.fields[index]
        guard change(&trial), field.isPresent(in: trial.frame), field.number(in: trial.frame) == nil,
            trial.goals.allSatisfy({ trial.isRight($0) })
        else { return false }
        self = trial
        return true
    }
}

extension SensorField {
    /// Whether a number is the nearest to another one that frames can have.
    fileprivate func isNear(_ number: Double, _ wanted: Double) -> Bool {
        // Of a list and of powers the nearest one was chosen.
        if parts.scale.list != nil || parts.scale.base != nil { return true }
        let scale = parts.scale
        let step = scale.factor.magnitude / scale.divisor * (parts.addend == nil ? Double(parts.factor) : 1)
        return (number - wanted).magnitude <= step / 2 + 1e-9 * max(1, wanted.magnitude)
    }
}

extension SensorScale {
    /// The integer whose number is the nearest; nil where none is near.
    fileprivate func integer(_ wanted: Double) -> Int64? {
        if list == nil, base == nil {
            let integer = ((wanted * divisor - offset) / factor).rounded()
            return integer.magnitude < 0x1p53 ? Int64(integer) : nil
        }
        let numbers = (0...(list.map { Int64($0.count - 1) } ?? Int64(Self.greatestExponent))).compactMap { integer in
            number(integer).map { (integer: integer, number: $0) }
        }
        guard let least = numbers.map(\.number).min(), let most = numbers.map(\.number).max(),
            (least...most).contains(wanted)
        else { return nil }
        return numbers.min { ($0.number - wanted).magnitude < ($1.number - wanted).magnitude }?.integer
    }
}
