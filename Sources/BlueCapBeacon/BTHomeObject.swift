// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// One measurement, state or other fact in a ``BTHome`` frame.
public struct BTHomeObject: Sendable, Hashable {
    /// The identifier of its kind, such as 0x02 for a temperature with two digits after the point.
    public let id: UInt8
    /// The bytes after the identifier, and after the length of a text or of raw bytes: numbers are little-endian.
    public let bytes: Bytes
    let kind: BTHomeKind

    /// Creates the object of a kind with the number nearest to a value, as in `BTHomeObject(0x02, 21.5)`. Nil for a
    /// kind that is not known or has no number, and for a value that is out of its range or is not a number. A text and
    /// the turn of a dimmer have initializers of their own.
    ///
    /// - Parameters:
    ///   - id: The identifier of the kind.
    ///   - value: The value in the unit of the kind.
    public init?(_ id: UInt8, _ value: Double) {
        guard let kind = BTHomeKind.all[id], let size = kind.size, !kind.isTurn, !kind.isVersion else { return nil }
        let scaled = (value * kind.divisor / Double(kind.factor)).rounded()
        let bits = 8 * size
        let (lowest, bound) = kind.isSigned ? (-exp2(bits - 1), exp2(bits - 1)) : (0, exp2(bits))
        guard scaled >= lowest, scaled < bound else { return nil }
        let number = Int64(scaled)
        self.init(id, kind, Bytes((0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }))
    }

    /// Creates a text (0x53) of at most 255 bytes in UTF-8; nil for a longer one.
    public init?(text: String) {
        guard let kind = BTHomeKind.all[0x53], text.utf8.count <= 255 else { return nil }
        self.init(0x53, kind, SerDe.serialize(text))
    }

    /// The direction in which a dimmer is turned.
    public enum Turn: UInt8, Sendable, CaseIterable {
        /// The dimmer is turned to the left.
        case left = 1
        /// The dimmer is turned to the right.
        case right = 2
    }

    /// Creates the event of a dimmer that is turned (0x3C), as in `BTHomeObject(dimmer: .right, steps: 3)`.
    ///
    /// - Parameters:
    ///   - turn: The direction in which it is turned.
    ///   - steps: The number of steps; 0 for a dimmer that is not turned, as a device sends it when another dimmer of
    ///     it is turned.
    public init(dimmer turn: Turn, steps: UInt8) {
        self.init(0x3C, .dimmer, steps == 0 ? [0, 0] : [turn.rawValue, steps])
    }

    private init(_ id: UInt8, _ kind: BTHomeKind, _ bytes: Bytes) {
        (self.id, self.kind, self.bytes) = (id, kind, bytes)
    }

    /// The first object in some bytes, and the number of its bytes; nil if its kind is unknown or bytes are missing.
    static func first(in data: Bytes) -> (object: BTHomeObject, count: Int)? {
        guard let id = data.first, let kind = BTHomeKind.all[id] else { return nil }
        let rest = data.dropFirst()
        if let size = kind.size {
            guard rest.count >= size else { return nil }
            return (BTHomeObject(id, kind, Bytes(rest.prefix(size))), 1 + size)
        }
        guard let length = rest.first, let count = kind.byteCount(length: length), rest.count > count else {
            return nil
        }
        return (BTHomeObject(id, kind, Bytes(rest.dropFirst().prefix(count))), 2 + count)
    }

    /// All objects in some bytes, as far as they can be decoded, and the bytes from the first that cannot.
    static func all(in data: Bytes) -> (objects: [BTHomeObject], unread: Bytes) {
        var (objects, rest): ([BTHomeObject], Bytes) = ([], data)
        while let (object, count) = first(in: rest) {
            objects.append(object)
            rest = Bytes(rest.dropFirst(count))
        }
        return (objects, rest)
    }

    /// The name of the object's kind: `"temperature"`, `"battery"`, `"door"`.
    public var name: String { kind.name }

    /// The quantity or the state; nil for an event, a text and what is no measurement.
    package var sensorKind: SensorKind? { kind.sensorKind }

    /// The unit of ``number``; empty if it has none.
    public var unit: String { kind.unit }

    /// A Boolean value that is true if the object is about the surroundings or the state of the device. The number of
    /// the packet, the type of the device and the version of its firmware are not.
    public var isMeasurement: Bool { kind.isMeasurement }

    /// The number in ``unit``; 0 or 1 for a kind with two states. Nil for texts, raw bytes, commands, versions and the
    /// turn of a dimmer.
    public var number: Double? { scaledNumber.map { Double($0) / kind.divisor } }

    /// The object's value as text.
    ///
    /// A number has as many digits after the decimal point as its kind, and a kind with two states gives the word for
    /// one. A dimmer's turn is its direction and its steps, such as `"left 3"`; a version is its parts, such as
    /// `"4.2.1.0"`; a text is itself, and raw bytes and commands are hexadecimal.
    public var text: String {
        if kind.isTurn { return turn }
        if kind.isVersion { return bytes.reversed().map { "\($0)" }.joined(separator: ".") }
        guard let number = scaledNumber else {
            return kind.isText ? (try? SerDe.deserialize(bytes, as: String.self)) ?? bytes.hex : bytes.hex
        }
        if let states = kind.sensorKind?.states, number <= 1 { return number == 0 ? states.off : states.on }
        guard kind.digits > 0 else { return "\(number)" }
        let digits = "\(number.magnitude)"
        let padded = String(repeating: "0", count: max(kind.digits + 1 - digits.count, 0)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(kind.digits) + "." + padded.suffix(kind.digits)
    }

    private var turn: String {
        switch bytes[0] {
        case 0: "none"
        case 1: "left \(bytes[1])"
        case 2: "right \(bytes[1])"
        default: bytes.hex
        }
    }

    /// The number without its decimal point.
    private var scaledNumber: Int64? { rawNumber.map { $0 * Int64(kind.factor) } }

    private var rawNumber: Int64? {
        guard let size = kind.size, !kind.isTurn, !kind.isVersion else { return nil }
        let number = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard kind.isSigned, let last = bytes.last, last & 0x80 != 0 else { return number }
        return number - 1 << (8 * Int64(size))
    }

    var encodedByteCount: Int { (kind.size == nil ? 2 : 1) + bytes.count }

    func encode(into output: inout OutputRawSpan) {
        output.write(id)
        if kind.size == nil { output.write(kind.length(byteCount: bytes.count)) }
        output.write(bytes)
    }

    /// Whether both are of the same kind and have the same bytes.
    public static func == (left: BTHomeObject, right: BTHomeObject) -> Bool {
        left.id == right.id && left.bytes == right.bytes
    }

    /// Hashes the identifier and the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(bytes)
    }
}

extension BTHomeObject: CustomStringConvertible {
    /// The name, the text and the unit: `temperature 21.50 °C`.
    public var description: String { "\(name) \(text)" + (unit.isEmpty ? "" : " \(unit)") }
}

/// Two to the power of a small whole number.
private func exp2(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }
