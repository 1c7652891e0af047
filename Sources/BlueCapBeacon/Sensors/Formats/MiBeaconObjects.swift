// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The values and events in the objects of a frame of MiBeacon.
///
/// Objects are those of iot.mi.com, "Object definition", and from 0x4801 on those of products at miot-spec.org. Those
/// of other products and of locks, brushes and bands are passed over.
struct MiBeaconObjects {
    let product: UInt16
    private(set) var values: [SensorValue] = []
    private(set) var events: [SensorEvent] = []

    init(product: UInt16) { self.product = product }

    /// Products whose objects mean something of their own.
    private enum Product {
        static let lightInMotion: Set<UInt16> = [0x07F6, 0x0A8D]
        static let light: Set<UInt16> = [0x07F6, 0x098B]
        static let motionWithLight: UInt16 = 0x0A83
        static let occupancy: UInt16 = 0x4683
        static let leak: UInt16 = 0x6375
        static let safe: UInt16 = 0x09B0
    }

    /// Takes the objects of a list, and says whether it is one: whether the last ends with it.
    mutating func take(_ list: Bytes.SubSequence) -> Bool {
        var rest = list
        while let low = rest.popFirst() {
            guard let high = rest.popFirst(), let count = rest.popFirst(), rest.count >= Int(count) else {
                return false
            }
            take(UInt16(low) | UInt16(high) << 8, Content(bytes: rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        return true
    }

    /// The bytes of an object.
    private struct Content {
        let bytes: Bytes.SubSequence

        var count: Int { bytes.count }
        var first: UInt8 { bytes.first ?? 0 }

        func byte(_ offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }

        /// An unsigned integer.
        func integer(_ offset: Int = 0, _ count: Int) -> UInt32 {
            (0..<count).reversed().reduce(0) { $0 << 8 | UInt32(byte(offset + $1)) }
        }

        /// An integer with a sign, in tenths.
        var tenths: Double { Double(signed) / 10 }
        var signed: Int16 { Int16(truncatingIfNeeded: integer(0, 2)) }

        /// A number with a point, rounded to hundredths; nil for one that nothing measures.
        var float: Double? {
            let number = Double(Float(bitPattern: integer(0, 4)))
            return number.magnitude < 1_000_000 ? (number * 100).rounded() / 100 : nil
        }
    }

    private mutating func take(_ id: UInt16, _ data: Content) {
        if takeState(id, data) || takeMeasurement(id, data) || takeScale(id, data) { return }
        events += MiBeaconPresses.events(id, data.bytes, product: product)
    }

    // MARK: Measurements

    private mutating func takeMeasurement(_ id: UInt16, _ data: Content) -> Bool {
        switch (id, data.count) {
        // Zero is no temperature of a body.
        case (0x000A, 2): add(Kind.temperature, data.signed == 0 ? nil : Double(data.signed) / 100)
        case (0x1004, 2): add(Kind.temperature, data.tenths)
        case (0x4801, 4), (0x4C01, 4): add(Kind.temperature, data.float)
        case (0x1006, 2): add(Kind.humidity, percent: Double(data.integer(0, 2)) / 10)
        case (0x4802, 1), (0x4C02, 1): add(Kind.humidity, percent: Double(data.first))
        case (0x4808, 4), (0x4C08, 4): add(Kind.humidity, percent: data.float)
        case (0x100D, 4):
            add(Kind.temperature, data.tenths)
            add(Kind.humidity, percent: Double(data.integer(2, 2)) / 10)
        case (0x1005, 2):
            add(Kind.power, data.first != 0)
            add(Kind.temperature, Double(data.byte(1)))
        case (0x1007, 3): add(Kind.illuminance, Double(data.integer(0, 3)))
        case (0x4805, 4): add(Kind.illuminance, data.float)
        case (0x1008, 1): add(Kind.moisture, percent: Double(data.first))
        case (0x1009, 2): add(Kind.conductivity, Double(data.integer(0, 2)))
        case (0x100A, 1), (0x4803, 1), (0x4C03, 1), (0x5003, 1): add(Kind.battery, percent: Double(data.first))
        default: return false
        }
        return true
    }

    private mutating func takeScale(_ id: UInt16, _ data: Content) -> Bool {
        switch (id, data.count) {
        case (0x4E16, 9):
            let mass = data.integer(1, 4)
            if mass != 0 { add(Kind.mass, Double(mass) / 100) }
        case (0x6E16, 9):
            let word = data.integer(1, 4)
            let (mass, isPulse, impedance) = (word & 0x7FF, word >> 11 & 0x7F != 0, word >> 18)
            if mass != 0, mass != 0x7FF { add(Kind.mass, Double(mass) / 10) }
            // The frame behind that of the mass is about another frequency.
            let isLast = (mass == 0 || mass == 0x7FF) && !isPulse
            if impedance != 0 { add(Kind.impedance, Double(impedance) / 10, ordinal: isLast ? 2 : 1) }
        default: return false
        }
        return true
    }

    // MARK: States

    private mutating func takeState(_ id: UInt16, _ data: Content) -> Bool {
        let byte = data.first
        switch (id, data.count) {
        case (0x0003, 1): add(Kind.motion, true)
        case (0x0007, 1...): if byte <= 5 { add(Kind.door, [0, 2, 4].contains(byte)) }
        case (0x000F, 3):
            let number = data.integer(0, 3)
            add(Kind.motion, true)
            if Product.lightInMotion.contains(product) { add(Kind.light, number >= 100) }
            if product == Product.motionWithLight { add(Kind.illuminance, Double(number)) }
        case (0x1007, 3) where Product.light.contains(product): add(Kind.light, data.integer(0, 3) == 100)
        case (0x1012, 1): add(Kind.power, byte != 0)
        case (0x1014, 1), (0x4806, 1): add(Kind.wet, byte != 0)
        case (0x1015, 1): add(Kind.smoke, byte != 0)
        // The seconds since a motion.
        case (0x1017, 4): add(Kind.motion, data.integer(0, 4) <= 30)
        case (0x4818, 2): add(Kind.motion, data.integer(0, 2) <= 30)
        case (0x1018, 1): add(Kind.light, byte != 0)
        case (0x1019, 1): if byte <= 2 { add(Kind.opening, byte != 1) }
        case (0x100F, 1) where product == Product.safe: add(Kind.door, byte == 1)
        case (0x101B, 1...): add(Kind.motion, false)
        case (0x4804, 1), (0x4A12, 1): if byte == 1 || byte == 2 { add(Kind.opening, byte == 1) }
        case (0x480C, 1): if byte <= 1 { add(Kind.opening, byte == 0) }
        case (0x483C, 1): add(Kind.occupancy, byte != 0)
        case (0x484E, 1): add(Kind.occupancy, product == Product.occupancy ? byte == 1 : byte != 0)
        case (0x487B, 1) where product == Product.leak: add(Kind.wet, byte != 0, ordinal: 2)
        case (0x4A68, 1) where product == Product.leak:
            if byte <= 3 { add(Kind.wet, byte & 1 == 0, ordinal: byte < 2 ? 1 : 2) }
        case (0x4A01, 1), (0x4E01, 1): add(Kind.lowBattery, byte != 0)
        case (0x4A08, 4):
            add(Kind.motion, true)
            add(Kind.illuminance, data.float)
        case (0x4A0F, 1), (0x4A1A, 1): if byte == 1 { add(Kind.opening, true) }
        default: return false
        }
        return true
    }

    // MARK: Values

    private enum Kind {
        static let battery = SensorKind.number("battery")
        static let conductivity = SensorKind.number("conductivity")
        static let humidity = SensorKind.number("humidity")
        static let illuminance = SensorKind.number("illuminance")
        static let impedance = SensorKind.number("impedance")
        static let mass = SensorKind.number("mass")
        static let moisture = SensorKind.number("moisture")
        static let temperature = SensorKind.number("temperature")
        static let door = SensorKind.state("door")
        static let light = SensorKind.state("light")
        static let lowBattery = SensorKind.state("battery")
        static let motion = SensorKind.state("motion")
        static let occupancy = SensorKind.state("occupancy")
        static let opening = SensorKind.state("opening")
        static let power = SensorKind.state("power")
        static let smoke = SensorKind.state("smoke")
        static let wet = SensorKind.state("moisture")
    }

    private mutating func add(_ kind: SensorKind?, percent: Double?) {
        add(kind, percent.flatMap { (0...100).contains($0) ? $0 : nil })
    }

    private mutating func add(_ kind: SensorKind?, _ isOn: Bool, ordinal: Int = 1) {
        add(kind, isOn ? 1 : 0, ordinal: ordinal)
    }

    /// Adds a value; the last one counts where a frame has several of a kind, as each has one key in all frames.
    private mutating func add(_ kind: SensorKind?, _ number: Double?, ordinal: Int = 1) {
        guard let kind else { return }
        values.removeAll { $0.kind === kind && $0.ordinal == ordinal }
        values.append(SensorValue(kind, unit: kind.units.first ?? "", ordinal: ordinal, number: number))
    }
}
