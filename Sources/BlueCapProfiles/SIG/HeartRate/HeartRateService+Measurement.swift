// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension HeartRateService {
    /// The heart rate now, and the times between the last beats (Heart Rate Service 1.0, 3.1; GATT Specification
    /// Supplement, Heart Rate Measurement).
    ///
    /// One byte of flags, then the rate and the fields that the flags announce, little-endian; the intervals take all
    /// bytes that are left. The rate is one byte up to 255 and two above. Reserved flags, and bytes behind the known
    /// fields, are passed over and not kept, so that a newer sensor's measurements stay readable.
    @frozen
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A37"
        public static let name = "Heart Rate Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        @inlinable public static var surplusBytes: SurplusBytes { .ignore }

        /// The heart rate in beats per minute.
        public var beatsPerMinute: UInt16
        /// The contact of the sensor with the skin.
        public var sensorContact: SensorContact
        /// The energy since the last reset in kilojoules; it stays at 65535 once there.
        public var energyExpended: UInt16?
        /// The times from beat to beat, oldest first, in 1/1024 s each.
        public var rrIntervals: PackedArray<UInt16>

        /// Creates a measurement.
        ///
        /// - Parameters:
        ///   - beatsPerMinute: The heart rate in beats per minute.
        ///   - sensorContact: The contact of the sensor with the skin.
        ///   - energyExpended: The energy in kilojoules since the last reset; nil when the sensor does not measure it.
        ///   - rrIntervals: The times from beat to beat, oldest first, in 1/1024 s each. At the default ATT MTU there
        ///     is room for 8 beside one byte of rate and the energy; at most 9.
        @inlinable
        public init(
            beatsPerMinute: UInt16, sensorContact: SensorContact = .notSupported, energyExpended: UInt16? = nil,
            rrIntervals: PackedArray<UInt16> = PackedArray()
        ) {
            self.beatsPerMinute = beatsPerMinute
            self.sensorContact = sensorContact
            self.energyExpended = energyExpended
            self.rrIntervals = rrIntervals
        }

        /// Creates a measurement of no beats.
        @inlinable public init() { self.init(beatsPerMinute: 0) }

        /// The contact of the sensor with the skin: bits 1 and 2 of the flags.
        @frozen
        public enum SensorContact: UInt8, Sendable, CaseIterable {
            /// The sensor does not detect contact.
            case notSupported = 0
            /// The sensor does not touch the skin, or hardly.
            case notDetected = 2
            /// The sensor touches the skin.
            case detected = 3
        }

        /// The times from beat to beat in seconds, oldest first.
        public var rrSeconds: some RandomAccessCollection<Double> { rrIntervals.lazy.map { Double($0) / 1024 } }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("heartRate", unit: "bpm", \.beatsPerMinute),
            TextField("sensorContact", allowed: SensorContact.allCases.map(\.description), \.sensorContact),
            TextField("energyExpended", unit: "kJ", \.energyExpended),
            TextField(list: "rrIntervals", \.rrIntervals),
        ]
        #endif

        @inlinable
        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt8.self)
            beatsPerMinute = flags & 0x01 != 0 ? try reader.read(UInt16.self) : UInt16(try reader.read(UInt8.self))
            sensorContact = flags & 0x04 == 0 ? .notSupported : flags & 0x02 == 0 ? .notDetected : .detected
            energyExpended = flags & 0x08 != 0 ? try reader.read(UInt16.self) : nil
            rrIntervals = flags & 0x10 != 0 ? try PackedArray(from: &reader) : PackedArray()
        }

        @inlinable public var encodedByteCount: Int {
            (beatsPerMinute > 255 ? 3 : 2) &+ (energyExpended == nil ? 0 : 2) &+ rrIntervals.encodedByteCount
        }

        @inlinable
        public func encode(into output: inout OutputRawSpan) {
            let isWide = beatsPerMinute > 255
            var flags = sensorContact.rawValue &<< 1
            if isWide { flags |= 0x01 }
            if energyExpended != nil { flags |= 0x08 }
            if !rrIntervals.isEmpty { flags |= 0x10 }
            output.write(flags)
            if isWide { output.write(beatsPerMinute) } else { output.write(UInt8(truncatingIfNeeded: beatsPerMinute)) }
            if let energyExpended { output.write(energyExpended) }
            rrIntervals.encode(into: &output)
        }
    }
}

extension HeartRateService.Measurement.SensorContact: LosslessStringConvertible {
    /// "Not Supported", "Not Detected" or "Detected".
    public var description: String {
        switch self {
        case .notSupported: "Not Supported"
        case .notDetected: "Not Detected"
        case .detected: "Detected"
        }
    }

    /// Creates the case with the text; nil for any other.
    public init?(_ description: String) {
        guard let contact = Self.allCases.first(where: { $0.description == description }) else { return nil }
        self = contact
    }
}
