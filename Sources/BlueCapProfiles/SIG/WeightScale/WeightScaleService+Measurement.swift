// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension WeightScaleService {
    /// A weight, and further optional values of the scale (Weight Scale Service 1.0, 3.2; GATT Specification
    /// Supplement, Weight Measurement).
    ///
    /// One byte of flags, then the weight and the fields that the flags announce, little-endian. Reserved flags and
    /// bytes behind the known fields are passed over and not kept, so that a newer scale's measurements stay readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        MeasuredInSystem
    {
        public static let uuid: BluetoothUUID = "2A9D"
        public static let name = "Weight Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The units of weight and height.
        public var system = MeasurementSystem.metric
        /// The weight as it is sent, in steps of 0.005 kg or 0.01 lb; 65535 when it was not measured.
        public var weightRaw: UInt16 = 0
        /// The time of the measurement by the scale's clock.
        public var timeStamp: DateTime?
        /// The number of the user; 255 for an unknown user.
        public var userID: UInt8?
        /// The body mass index and the height from which it comes.
        public var bodyMass: BodyMass?

        /// The body mass index and the height from which it comes.
        public struct BodyMass: Hashable, Sendable {
            /// The body mass index in kg/m², in steps of 1/10.
            public var index: Scaled<UInt16, Per10>
            /// The height as it is sent, in steps of 0.001 m or 0.1 in.
            public var heightRaw: UInt16

            /// Creates a body mass index with its height.
            ///
            /// - Parameters:
            ///   - index: The body mass index in kg/m², in steps of 1/10.
            ///   - heightRaw: The height as it is sent, in steps of 0.001 m or 0.1 in.
            public init(index: Scaled<UInt16, Per10> = Scaled(rawValue: 0), heightRaw: UInt16 = 0) {
                (self.index, self.heightRaw) = (index, heightRaw)
            }
        }

        /// Creates a metric measurement of 0 kg.
        public init() {}

        /// The weight in kilograms or pounds, by ``system``; nil when it was not measured.
        public var weight: Double? { weightRaw == .max ? nil : system.mass(raw: weightRaw) }

        /// The height in metres or inches, by ``system``.
        public var height: Double? { bodyMass.map { system.height(raw: $0.heightRaw) } }

        private var heightRaw: UInt16? {
            get { bodyMass?.heightRaw }
            set {
                guard let newValue else { return }
                bodyMass = BodyMass(index: bodyMass?.index ?? Scaled(rawValue: 0), heightRaw: newValue)
            }
        }

        #if !hasFeature(Embedded)
        /// `system`, `weight` (kg or lb, or "unknown"), and where the value has them, `timeStamp`, `userID`
        /// (or "unknown"), `bodyMassIndex` (kg/m²) and `height` (m or in).
        public static let textFields: [TextField<Self>] = [
            TextField(name: "system", \.system),
            TextField(mass: "weight", \.weightRaw, unknown: .max),
            TextField("timeStamp", \.timeStamp),
            TextField("userID", \.userID, unknown: .max),
            TextField("bodyMassIndex", unit: "kg/m²", \.bodyMass, \.index, initial: BodyMass()),
            TextField(height: "height", \.heightRaw),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt8.self)
            system = flags & 1 == 0 ? .metric : .imperial
            weightRaw = try reader.read()
            if flags & 2 != 0 { timeStamp = try reader.read() }
            if flags & 4 != 0 { userID = try reader.read() }
            if flags & 8 != 0 { bodyMass = BodyMass(index: try reader.read(), heightRaw: try reader.read()) }
        }

        public var encodedByteCount: Int {
            3 + (timeStamp == nil ? 0 : 7) + (userID == nil ? 0 : 1) + (bodyMass == nil ? 0 : 4)
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt8 = system == .imperial ? 1 : 0
            if timeStamp != nil { flags |= 2 }
            if userID != nil { flags |= 4 }
            if bodyMass != nil { flags |= 8 }
            output.write(flags)
            output.write(weightRaw)
            timeStamp?.encode(into: &output)
            userID?.encode(into: &output)
            if let bodyMass {
                bodyMass.index.encode(into: &output)
                output.write(bodyMass.heightRaw)
            }
        }
    }
}
