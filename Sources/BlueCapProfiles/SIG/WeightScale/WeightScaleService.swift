public import BlueCapCore
public import BlueCapSerDe

/// The Weight Scale Service of the Bluetooth SIG (Weight Scale Service 1.0).
public enum WeightScaleService: ServiceConfigurable {
    /// 181D.
    public static let uuid: BluetoothUUID = "181D"
    /// The name of the service.
    public static let name = "Weight Scale"
    /// The tag of the Bluetooth SIG's services.
    public static let tag = BluetoothSIG.tag
}

extension WeightScaleService {
    /// What the scale can do: 32 bits, little-endian (Weight Scale Service 1.0, 3.1; GATT Specification Supplement,
    /// Weight Scale Feature). Reserved bits are ignored.
    public struct Feature: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        /// 2A9E.
        public static let uuid: BluetoothUUID = "2A9E"
        /// The name of the characteristic.
        public static let name = "Weight Scale Feature"
        /// Read.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read.
        public static let permissions: AttributePermissions = [.readable]

        /// What it can do.
        public var options: Options = []
        /// How finely it measures masses.
        public var massResolution = MassResolution.notSpecified
        /// How finely it measures heights.
        public var heightResolution = HeightResolution.notSpecified

        /// What a weight scale can do beside weighing.
        public struct Options: NamedFlags {
            /// The bits.
            public let rawValue: UInt32

            /// A set from the lowest 3 bits of a number.
            public init(rawValue: UInt32) { self.rawValue = rawValue & 0x7 }

            /// It tells when it measured.
            public static let timeStamp = Self(rawValue: 1 << 0)
            /// It tells users apart.
            public static let multipleUsers = Self(rawValue: 1 << 1)
            /// It tells the body mass index.
            public static let bodyMassIndex = Self(rawValue: 1 << 2)

            /// The flags that have names.
            public static let flagNames: [(Self, String)] = [
                (.timeStamp, "Time Stamp"),
                (.multipleUsers, "Multiple Users"),
                (.bodyMassIndex, "BMI"),
            ]
        }

        /// Nothing beyond what every scale can do.
        public init() {}

        /// `options`, `massResolution` and `heightResolution`.
        public static let textFields: [TextField<Self>] = [
            TextField("options", \.options),
            TextField(choice: "massResolution", \.massResolution),
            TextField(choice: "heightResolution", \.heightResolution),
        ]

        /// Reads four bytes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            let bits = try reader.read(UInt32.self)
            options = Options(rawValue: bits)
            massResolution = MassResolution(rawValue: UInt8(truncatingIfNeeded: bits >> 3))
            heightResolution = HeightResolution(rawValue: UInt8(truncatingIfNeeded: bits >> 7))
        }

        /// Four.
        public var encodedByteCount: Int { 4 }

        /// Appends four bytes.
        public func encode(into output: inout OutputRawSpan) {
            output.write(
                options.rawValue | UInt32(massResolution.rawValue) << 3 | UInt32(heightResolution.rawValue) << 7)
        }
    }
}
