// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PulseOximeterService {
    /// One finished measurement (Pulse Oximeter Service 1.0, 3.1; GATT Specification Supplement, PLX Spot-Check
    /// Measurement).
    ///
    /// One byte of flags, saturation and pulse, then the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer device's measurements stay
    /// readable.
    public struct SpotCheckMeasurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A5E"
        public static let name = "PLX Spot-Check Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        /// Bytes behind the known fields are ignored.
        public static let surplusBytes = SurplusBytes.ignore

        /// Saturation and pulse.
        public var saturation: Saturation
        /// The time of the measurement by the device's clock.
        public var timeStamp: DateTime?
        /// The status of the measurement.
        public var measurementStatus: MeasurementStatus?
        /// The status of the device and its sensor.
        public var deviceAndSensorStatus: DeviceAndSensorStatus?
        /// The strength of the pulse in percent.
        public var pulseAmplitudeIndex: SFloat?
        /// A Boolean value that is true if the device's clock was never set.
        public var isClockUnset = false

        /// Creates a measurement.
        public init(saturation: Saturation) { self.saturation = saturation }

        /// No measurement: NaN twice.
        public init() { self.init(saturation: Saturation()) }

        #if !hasFeature(Embedded)
        /// `oxygen` (%), `pulseRate` (beats per minute) and `isClockUnset`, and where the value has them, `timeStamp`,
        /// `measurementStatus`, `deviceAndSensorStatus` and `pulseAmplitudeIndex` (%).
        public static let textFields: [TextField<Self>] = [
            TextField("oxygen", unit: "%", \.saturation.oxygen),
            TextField("pulseRate", unit: "bpm", \.saturation.pulseRate),
            TextField("timeStamp", \.timeStamp),
            TextField("measurementStatus", \.measurementStatus),
            TextField("deviceAndSensorStatus", \.deviceAndSensorStatus),
            TextField("pulseAmplitudeIndex", unit: "%", \.pulseAmplitudeIndex),
            TextField("isClockUnset", \.isClockUnset),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt8.self)
            saturation = try reader.read()
            if flags & 0x01 != 0 { timeStamp = try reader.read() }
            if flags & 0x02 != 0 { measurementStatus = try reader.read() }
            if flags & 0x04 != 0 { deviceAndSensorStatus = try reader.read() }
            if flags & 0x08 != 0 { pulseAmplitudeIndex = try reader.read() }
            isClockUnset = flags & 0x10 != 0
        }

        public var encodedByteCount: Int {
            5 + (timeStamp == nil ? 0 : 7) + (measurementStatus == nil ? 0 : 2)
                + (deviceAndSensorStatus == nil ? 0 : 3) + (pulseAmplitudeIndex == nil ? 0 : 2)
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt8 = isClockUnset ? 0x10 : 0
            if timeStamp != nil { flags |= 0x01 }
            if measurementStatus != nil { flags |= 0x02 }
            if deviceAndSensorStatus != nil { flags |= 0x04 }
            if pulseAmplitudeIndex != nil { flags |= 0x08 }
            output.write(flags)
            saturation.encode(into: &output)
            timeStamp?.encode(into: &output)
            measurementStatus?.encode(into: &output)
            deviceAndSensorStatus?.encode(into: &output)
            pulseAmplitudeIndex?.encode(into: &output)
        }
    }
}
