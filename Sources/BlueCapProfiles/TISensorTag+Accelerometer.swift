public import BlueCapCore
public import BlueCapSerDe

extension TISensorTag {
    /// The accelerometer (Kionix KXTJ9, ±2 g): samples, a switch, and the time between samples.
    public enum AccelerometerService: ServiceConfigurable {
        /// F000AA10-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa10)
        /// The name of the service.
        public static let name = "TI Accelerometer"
        /// The tag of the service.
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.AccelerometerService {
    /// One sample: three signed bytes of 1/64 g each, in the order x, y, z (CC2541 SensorTag user guide, Accelerometer).
    ///
    /// The sensor sits on the board with x and y turned round: x = −raw/64, y = −raw/64, z = raw/64.
    public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        /// F000AA11-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa11)
        /// The name of the characteristic.
        public static let name = "Accelerometer Data"
        /// Read and notify.
        public static let properties: CharacteristicProperties = [.read, .notify]
        /// Three bytes.
        public static let size = 3
        /// The value that a peripheral offers first: (1.0, 0.5, −1.5) g.
        public static let initialValue: Bytes? = [0xc0, 0xe0, 0xa0]

        /// The x axis as it is sent, in −1/64 g.
        public let xRaw: Int8
        /// The y axis as it is sent, in −1/64 g.
        public let yRaw: Int8
        /// The z axis as it is sent, in 1/64 g.
        public let zRaw: Int8

        /// A sample from accelerations in g, rounded to the nearest 1/64 g.
        ///
        /// - Throws: ``SerDeError/invalidValue(offset:)`` with the offset of the axis that is out of range. x and y can
        ///   be −127/64 through 2, z −2 through 127/64.
        public init(x: Double, y: Double, z: Double) throws(SerDeError) {
            xRaw = try Self.raw(-x, offset: 0)
            yRaw = try Self.raw(-y, offset: 1)
            zRaw = try Self.raw(z, offset: 2)
        }

        /// A sample from the three numbers as they are sent; nil for any other count.
        public init?(rawValue: [Int8]) {
            guard rawValue.count == 3 else { return nil }
            (xRaw, yRaw, zRaw) = (rawValue[0], rawValue[1], rawValue[2])
        }

        /// The three numbers as they are sent.
        public var rawValue: [Int8] { [xRaw, yRaw, zRaw] }

        /// The acceleration along x in g.
        public var x: Double { -Double(xRaw) / 64 }
        /// The acceleration along y in g.
        public var y: Double { -Double(yRaw) / 64 }
        /// The acceleration along z in g.
        public var z: Double { Double(zRaw) / 64 }

        /// The axes in g, `x`, `y` and `z`, with two decimals, and as they are sent, `xRaw`, `yRaw` and `zRaw`.
        public var stringValue: [String: String] {
            [
                "x": Text.fixed(x, 2), "y": Text.fixed(y, 2), "z": Text.fixed(z, 2),
                "xRaw": "\(xRaw)", "yRaw": "\(yRaw)", "zRaw": "\(zRaw)",
            ]
        }

        /// A sample from `xRaw`, `yRaw` and `zRaw`; nil when one is missing or no signed byte.
        public init?(stringValue: [String: String]) {
            guard let x = stringValue["xRaw"].flatMap(Int8.init), let y = stringValue["yRaw"].flatMap(Int8.init),
                let z = stringValue["zRaw"].flatMap(Int8.init)
            else { return nil }
            (xRaw, yRaw, zRaw) = (x, y, z)
        }

        private static func raw(_ acceleration: Double, offset: Int) throws(SerDeError) -> Int8 {
            guard let raw = Int8(exactly: (acceleration * 64).rounded()) else { throw .invalidValue(offset: offset) }
            return raw
        }

        /// Reads the three bytes without the array that `rawValue` makes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            xRaw = try reader.read()
            yRaw = try reader.read()
            zRaw = try reader.read()
        }

        /// Three.
        public var encodedByteCount: Int { Self.size }

        /// Appends the three bytes.
        public func encode(into output: inout OutputRawSpan) {
            output.write(xRaw)
            output.write(yRaw)
            output.write(zRaw)
        }
    }

    /// Whether the sensor measures: one byte.
    public enum Enabled: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// Off, as after power-on.
        case no = 0
        /// On.
        case yes = 1

        /// F000AA12-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa12)
        /// The name of the characteristic.
        public static let name = "Accelerometer Enabled"
        /// Read and write.
        public static let properties: CharacteristicProperties = [.read, .write]
        /// The value that a peripheral offers first: no.
        public static let initialValue: Bytes? = [0]

        /// `yes` for true, `no` for false.
        public init(boolValue: Bool) { self = boolValue ? .yes : .no }

        /// Whether it is `yes`.
        public var boolValue: Bool { self == .yes }

        /// "No" or "Yes".
        public var choice: String { self == .yes ? "Yes" : "No" }
    }

    /// The time from sample to sample: one byte of 10 ms each (CC2541 SensorTag user guide, Accelerometer).
    public struct UpdatePeriod: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        /// F000AA13-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa13)
        /// The name of the characteristic.
        public static let name = "Accelerometer Update Period"
        /// Read and write.
        public static let properties: CharacteristicProperties = [.read, .write]
        /// The value that a peripheral offers first: 100, that is one second.
        public static let initialValue: Bytes? = [100]

        /// The number as it is sent, in units of 10 ms; 0 means the same as 1.
        public let rawValue: UInt8

        /// A period from the number as it is sent; every number is allowed.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A period from milliseconds, 10 through 2550, rounded to the nearest 10.
        ///
        /// - Throws: ``SerDeError/invalidValue(offset:)`` when it is out of range.
        public init(milliseconds: Int) throws(SerDeError) {
            guard (10...2550).contains(milliseconds) else { throw .invalidValue() }
            rawValue = UInt8((milliseconds + 5) / 10)
        }

        /// The period in milliseconds, at least 10.
        public var milliseconds: Int { max(10, 10 * Int(rawValue)) }

        /// The milliseconds, `period`, and the number as it is sent, `periodRaw`.
        public var stringValue: [String: String] { ["period": "\(milliseconds)", "periodRaw": "\(rawValue)"] }

        /// A period from `periodRaw`; nil when it is missing or no byte.
        public init?(stringValue: [String: String]) {
            guard let raw = stringValue["periodRaw"].flatMap(UInt8.init) else { return nil }
            self.init(rawValue: raw)
        }
    }
}
