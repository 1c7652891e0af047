// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension BodyCompositionService {
    /// The share of fat in a body, and further optional values of the scale (Body Composition Service 1.0, 3.2; GATT
    /// Specification Supplement, Body Composition Measurement).
    ///
    /// Two bytes of flags, then the share of fat and the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer scale's measurements stay
    /// readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        MeasuredInSystem
    {
        public static let uuid: BluetoothUUID = "2A9C"
        public static let name = "Body Composition Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        /// Bytes behind the known fields are ignored.
        public static let surplusBytes = SurplusBytes.ignore

        /// The units of masses and heights.
        public var system = MeasurementSystem.metric
        /// The share of fat in percent, in steps of 1/10; the raw value 65535 when it was not measured.
        public var bodyFatPercentage = Scaled<UInt16, Per10>(rawValue: 0)
        /// The time of the measurement by the scale's clock.
        public var timeStamp: DateTime?
        /// The number of the user; 255 for an unknown user.
        public var userID: UInt8?
        /// The basal metabolism of a day in kilojoules.
        public var basalMetabolism: UInt16?
        /// The share of muscle in percent, in steps of 1/10.
        public var musclePercentage: Scaled<UInt16, Per10>?
        /// The mass of muscle as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var muscleMassRaw: UInt16?
        /// The mass without fat as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var fatFreeMassRaw: UInt16?
        /// The mass without fat and bone as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var softLeanMassRaw: UInt16?
        /// The mass of water as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var bodyWaterMassRaw: UInt16?
        /// The impedance of the body in ohms, in steps of 1/10.
        public var impedance: Scaled<UInt16, Per10>?
        /// The weight as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var weightRaw: UInt16?
        /// The height as it is sent, in steps of 0.001 m or 0.1 in.
        public var heightRaw: UInt16?
        /// A Boolean value that is true if this is one of two values that make up one measurement.
        public var isMultiplePacket = false

        /// Creates a metric measurement of no fat.
        public init() {}

        /// The mass of muscle in kilograms or pounds, by ``system``.
        public var muscleMass: Double? { muscleMassRaw.map(system.mass(raw:)) }
        /// The mass without fat in kilograms or pounds, by ``system``.
        public var fatFreeMass: Double? { fatFreeMassRaw.map(system.mass(raw:)) }
        /// The mass without fat and bone in kilograms or pounds, by ``system``.
        public var softLeanMass: Double? { softLeanMassRaw.map(system.mass(raw:)) }
        /// The mass of water in kilograms or pounds, by ``system``.
        public var bodyWaterMass: Double? { bodyWaterMassRaw.map(system.mass(raw:)) }
        /// The weight in kilograms or pounds, by ``system``.
        public var weight: Double? { weightRaw.map(system.mass(raw:)) }
        /// The height in metres or inches, by ``system``.
        public var height: Double? { heightRaw.map(system.height(raw:)) }

        #if !hasFeature(Embedded)
        /// `system`, `bodyFatPercentage` (%, or "unknown") and `isMultiplePacket`; where the value has them, the time
        /// stamp, the user (or "unknown"), the metabolism (kJ), percentages (%), masses (kg or lb), the impedance (Ω)
        /// and the height (m or in).
        public static let textFields: [TextField<Self>] = [
            TextField(name: "system", \.system),
            TextField("bodyFatPercentage", unit: "%", \.bodyFatPercentage, unknown: Scaled(rawValue: .max)),
            TextField("timeStamp", \.timeStamp),
            TextField("userID", \.userID, unknown: .max),
            TextField("basalMetabolism", unit: "kJ", \.basalMetabolism),
            TextField("musclePercentage", unit: "%", \.musclePercentage),
            TextField(mass: "muscleMass", \.muscleMassRaw),
            TextField(mass: "fatFreeMass", \.fatFreeMassRaw),
            TextField(mass: "softLeanMass", \.softLeanMassRaw),
            TextField(mass: "bodyWaterMass", \.bodyWaterMassRaw),
            TextField("impedance", unit: "Ω", \.impedance),
            TextField(mass: "weight", \.weightRaw),
            TextField(height: "height", \.heightRaw),
            TextField("isMultiplePacket", \.isMultiplePacket),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt16.self)
            system = flags & 1 == 0 ? .metric : .imperial
            bodyFatPercentage = try reader.read()
            if flags & 1 << 1 != 0 { timeStamp = try reader.read() }
            if flags & 1 << 2 != 0 { userID = try reader.read() }
            if flags & 1 << 3 != 0 { basalMetabolism = try reader.read() }
            if flags & 1 << 4 != 0 { musclePercentage = try reader.read() }
            if flags & 1 << 5 != 0 { muscleMassRaw = try reader.read() }
            if flags & 1 << 6 != 0 { fatFreeMassRaw = try reader.read() }
            if flags & 1 << 7 != 0 { softLeanMassRaw = try reader.read() }
            if flags & 1 << 8 != 0 { bodyWaterMassRaw = try reader.read() }
            if flags & 1 << 9 != 0 { impedance = try reader.read() }
            if flags & 1 << 10 != 0 { weightRaw = try reader.read() }
            if flags & 1 << 11 != 0 { heightRaw = try reader.read() }
            isMultiplePacket = flags & 1 << 12 != 0
        }

        public var encodedByteCount: Int {
            var count = 4 + (timeStamp == nil ? 0 : 7) + (userID == nil ? 0 : 1)
            count += 2 * (flags >> 3 & 0x1ff).nonzeroBitCount
            return count
        }

        private var flags: UInt16 {
            var flags: UInt16 = system == .imperial ? 1 : 0
            if timeStamp != nil { flags |= 1 << 1 }
            if userID != nil { flags |= 1 << 2 }
            if basalMetabolism != nil { flags |= 1 << 3 }
            if musclePercentage != nil { flags |= 1 << 4 }
            if muscleMassRaw != nil { flags |= 1 << 5 }
            if fatFreeMassRaw != nil { flags |= 1 << 6 }
            if softLeanMassRaw != nil { flags |= 1 << 7 }
            if bodyWaterMassRaw != nil { flags |= 1 << 8 }
            if impedance != nil { flags |= 1 << 9 }
            if weightRaw != nil { flags |= 1 << 10 }
            if heightRaw != nil { flags |= 1 << 11 }
            if isMultiplePacket { flags |= 1 << 12 }
            return flags
        }

        public func encode(into output: inout OutputRawSpan) {
            output.write(flags)
            bodyFatPercentage.encode(into: &output)
            timeStamp?.encode(into: &output)
            userID?.encode(into: &output)
            basalMetabolism?.encode(into: &output)
            musclePercentage?.encode(into: &output)
            muscleMassRaw?.encode(into: &output)
            fatFreeMassRaw?.encode(into: &output)
            softLeanMassRaw?.encode(into: &output)
            bodyWaterMassRaw?.encode(into: &output)
            impedance?.encode(into: &output)
            weightRaw?.encode(into: &output)
            heightRaw?.encode(into: &output)
        }
    }
}
