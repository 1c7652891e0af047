// SPDX-License-Identifier: MIT

#if Macros
public import BlueCapLayout

/// Heart Rate Measurement, declared instead of written.
@Layout(flags: UInt8.self)
public struct HeartRate: Hashable {
    /// Beats per minute.
    @Flag(0, else: UInt8.self) public var beatsPerMinute: UInt16
    /// Whether the sensor touches the skin.
    @Flag(1...2) public var sensorContact: UInt8
    /// Kilojoules since the last reset.
    @Flag(3) public var energyExpended: UInt16?
    /// The times from beat to beat, in 1/1024 s.
    @Flag(4) public var rrIntervals: PackedArray<UInt16>

    /// Bytes behind the known fields are ignored.
    public static var surplusBytes: SurplusBytes { .ignore }
}

@Layout
struct Climate: CharacteristicValue, Hashable {
    static let uuid: BluetoothUUID = "F000AA21-0451-4000-B000-000000000000"

    let opcode: UInt8 = 0x07
    @Scaled(Int16.self, by: 0.01, unit: "°C") var temperature: Double
    @Scaled(UInt16.self, by: 0.5, offset: -10, unit: "%", unknown: 0xffff) var humidity: Double?
    @BigEndian var sequence: UInt32
    @BigEndian @Scaled(Int16.self, by: 3) var slope: Float
    @Counted(by: UInt8.self) var samples: [Int16]
    var rest: Bytes

    var isHot: Bool { temperature > 30 }
}

@Layout
struct Pressure: Hashable {
    @Scaled(UInt16.self, by: 0.1, unit: "hPa") var pressure: Double
}

extension Pressure: StringDeserializable {
    var stringValue: [String: String] { ["pressure": "\(pressure)"] }

    init?(stringValue: [String: String]) {
        guard let pressure = stringValue["pressure"].flatMap(Double.init) else { return nil }
        self.pressure = pressure
    }
}

@Layout
struct Marked: Hashable {
    @BigEndian let code: UInt16 = 0xbeac
    var count: UInt8
}

enum Side: UInt8, Sendable {
    case left = 1
    case right = 2
}

@Layout(flags: UInt24.self)
struct Everything: Hashable {
    @Flag(0) var isMetric: Bool
    @Flag(1...2) var side: Side
    @Flag(17) @Scaled(UInt24.self, by: 0.1, unit: "m") var distance: Double?
    @Flag(18) var inner: Inner?
    @Flag(19) @Counted(by: UInt16.self) var name: String
    @Flag(23) @BigEndian var output: UInt16?
    var value: UInt8
    var flags: UInt8
}

enum Stride: UInt16, RawDeserializable, FixedSizeCodable {
    case walk = 0x0102
    case run = 0x0203

    static let uuid: BluetoothUUID = "F000AA22-0451-4000-B000-000000000000"
}

@Layout
struct Outing: Hashable {
    @Counted(by: UInt8.self) var strides: [Stride]
    var seconds: UInt16
}

@Layout
struct Inner: Hashable {
    var turns: UInt32
    let time: UInt16
}
#endif
