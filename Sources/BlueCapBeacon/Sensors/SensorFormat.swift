// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The description of the frames of one kind of sensor: how they are known, and their fields.
final class SensorFormat: Sendable {
    /// Where frames are in an advertisement.
    enum Source: Sendable, Hashable {
        /// The data of a manufacturer.
        case company(UInt16)
        /// The data of whatever manufacturer, whose two bytes are the first of the frame.
        case anyCompany
        case service(BluetoothUUID)
    }

    /// A sum of bytes by which frames are checked.
    struct Check: Sendable, Hashable {
        /// The byte that has the sum.
        var offset: Int
        var range: Range<Int>
        var isExclusiveOr: Bool

        func sum(of frame: Bytes) -> UInt8 {
            var sum: UInt8 = 0
            for index in range { sum = isExclusiveOr ? sum ^ frame[index] : sum &+ frame[index] }
            return sum
        }

        func holds(in frame: Bytes) -> Bool { sum(of: frame) == frame[offset] }
    }

    /// The number of a measurement or of a packet.
    struct Counter: Sendable, Hashable {
        var place: SensorPlace
        var unknown: [Int64]
    }

    /// The six bytes of the device's address.
    struct Address: Sendable, Hashable {
        var offset: Int
        var isReversed: Bool
    }

    /// The parts of a description.
    struct Parts: Sendable, Hashable {
        var name = ""
        var sources: [Source] = []
        /// The numbers of bytes that a frame has.
        var lengths = 0...0
        /// Bytes of the frame; one of the patterns fits. Without a pattern all do.
        var patterns: [SensorPattern] = []
        /// The names of devices, with `*` at its end for all that begin so; none for any device.
        var names: [String] = []
        var fields: [SensorField] = []
        var counter: Counter?
        var address: Address?
        var check: Check?
        /// Whether nothing but a key tells its frames from those of others: without one nothing is claimed.
        var isKnownByKey = false
    }

    /// The way to write frames that data cannot describe.
    struct Writer: Sendable {
        let valueNames: [String]
        /// Writes values and a counter, and the address of the device as far as a frame has it.
        let draft:
            @Sendable (_ values: [String: SensorSetting], _ counter: UInt64, _ address: Bytes?, _ isSealed: Bool)
                throws(SensorFrameError) -> Draft
    }

    /// A frame whose part that will be encrypted is still clear, and which has zeros in the place of a tag at its end.
    struct Draft {
        let frame: Bytes
        /// The part to encrypt.
        let body: Range<Int>
    }

    let parts: Parts
    var name: String { parts.name }
    /// Writes and reads the frames that data cannot describe; nil for a format that is data.
    let writer: Writer?
    private let decode: (@Sendable (Bytes) -> SensorReading?)?
    /// The numbers of the fields among those of their kinds: those that a frame may have together have different ones,
    /// so that a value has one number in all frames.
    let valueNumbers: [Int]

    init(_ parts: Parts, writer: Writer? = nil, decode: (@Sendable (Bytes) -> SensorReading?)? = nil) {
        (self.parts, self.writer, self.decode) = (parts, writer, decode)
        var numbers: [Int] = []
        for field in parts.fields {
            let taken = zip(parts.fields, numbers).filter { $0.0.mayAccompany(field) }.map(\.1)
            numbers.append(field.parts.ordinal ?? (1...).first { !taken.contains($0) } ?? 1)
        }
        valueNumbers = numbers
    }

    /// The names of the fields with their numbers.
    var valueTitles: [String] {
        zip(parts.fields, valueNumbers).map { SensorValue.title($0.parts.kind.name, $1) }
    }

    static let addressByteCount = 6

    /// The values in a frame; nil where it is of another format.
    func reading(of frame: Bytes, name: String?) -> SensorReading? {
        if let decode { return decode(frame) }
        guard parts.lengths.contains(frame.count), fits(name),
            parts.patterns.isEmpty || parts.patterns.contains(where: { $0.fits(frame) }),
            parts.check?.holds(in: frame) ?? true
        else { return nil }
        var values: [SensorValue] = []
        values.reserveCapacity(parts.fields.count)
        for (index, field) in parts.fields.enumerated() where field.isPresent(in: frame) {
            values.append(
                SensorValue(
                    field.parts.kind, unit: field.parts.unit, ordinal: valueNumbers[index],
                    number: field.number(in: frame)))
        }
        let counter = parts.counter.flatMap { counter in
            counter.place.integer(in: frame).flatMap { counter.unknown.contains($0) ? nil : UInt64(clamping: $0) }
        }
        return SensorReading(format: parts.name, values: values, counter: counter, address: address(in: frame))
    }

    private func address(in frame: Bytes) -> Bytes? {
        guard let place = parts.address else { return nil }
        let sent = frame[place.offset..<place.offset + Self.addressByteCount]
        // A device that does not know it sends ones.
        if sent.allSatisfy({ $0 == 0xFF }) { return nil }
        return place.isReversed ? Bytes(sent.reversed()) : Bytes(sent)
    }

    /// Whether a device with a name may send it.
    func fits(_ name: String?) -> Bool {
        if parts.names.isEmpty { return true }
        guard let name else { return false }
        return parts.names.contains { $0.hasSuffix("*") ? name.hasPrefix($0.dropLast()) : name == $0 }
    }
}
