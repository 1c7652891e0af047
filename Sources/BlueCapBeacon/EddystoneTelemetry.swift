// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The state of an Eddystone beacon: its battery, its temperature, and its activity since it was switched on.
///
/// Only the unencrypted form, version 0, is read; numbers are big-endian.
public struct EddystoneTelemetry: ByteDecodable, ByteEncodable, Hashable {
    /// The battery voltage in millivolts; 0 if it is not measured.
    public var batteryVoltage: UInt16
    /// The temperature in 1/256 °C, as it is sent; −32,768 if it is not measured.
    public var rawTemperature: Int16
    /// The number of frames sent since the beacon was switched on.
    public var advertisingCount: UInt32
    /// The time since the beacon was switched on, in tenths of a second.
    public var uptime: UInt32

    /// Creates telemetry from its numbers.
    ///
    /// - Parameters:
    ///   - batteryVoltage: The voltage in millivolts; 0 if it is not measured.
    ///   - rawTemperature: The temperature in 1/256 °C; −32,768 if it is not measured.
    ///   - advertisingCount: The number of frames sent since the beacon was switched on.
    ///   - uptime: The time since then in tenths of a second.
    public init(batteryVoltage: UInt16, rawTemperature: Int16, advertisingCount: UInt32, uptime: UInt32) {
        self.batteryVoltage = batteryVoltage
        self.rawTemperature = rawTemperature
        self.advertisingCount = advertisingCount
        self.uptime = uptime
    }

    /// The battery voltage in volts; nil if it is not measured.
    public var voltage: Double? { batteryVoltage == 0 ? nil : Double(batteryVoltage) / 1000 }

    /// The temperature in °C; nil if it is not measured.
    public var temperature: Double? { rawTemperature == .min ? nil : Double(rawTemperature) / 256 }

    /// Reads the version and the numbers; throws `SerDeError.invalidValue(offset:)` for another version.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        guard try reader.read(UInt8.self) == 0 else { throw .invalidValue(offset: start) }
        batteryVoltage = try reader.read(UInt16.self, .bigEndian)
        rawTemperature = try reader.read(Int16.self, .bigEndian)
        advertisingCount = try reader.read(UInt32.self, .bigEndian)
        uptime = try reader.read(UInt32.self, .bigEndian)
    }

    public var encodedByteCount: Int { 13 }

    public func encode(into output: inout OutputRawSpan) {
        output.write(UInt8(0))
        output.write(batteryVoltage, .bigEndian)
        output.write(rawTemperature, .bigEndian)
        output.write(advertisingCount, .bigEndian)
        output.write(uptime, .bigEndian)
    }
}
