// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The angle from true north clockwise to magnetic north, in 0.01 degrees (GATT Specification Supplement, Magnetic
    /// Declination).
    public struct MagneticDeclination: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A2C"
        public static let name = "Magnetic Declination"
        public static let unit = "°"
        /// The allowed range is 0 through 359.99.
        public static let range: ClosedRange<Double>? = 0...359.99

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The magnetic flux density along two axes: two signed 16-bit numbers of 10⁻⁷ T, that is 0.1 µT (GATT
    /// Specification Supplement, Magnetic Flux Density - 2D).
    public struct MagneticFluxDensity2D: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2AA0"
        public static let name = "Magnetic Flux Density - 2D"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readable

        /// The flux density along x in µT.
        public var x: Scaled<Int16, Per10>
        /// The flux density along y in µT.
        public var y: Scaled<Int16, Per10>

        /// Creates a value without flux.
        public init() { self.init(x: Scaled(rawValue: 0), y: Scaled(rawValue: 0)) }

        /// Creates a flux density.
        ///
        /// - Parameters:
        ///   - x: The flux density along x in µT, in steps of 0.1.
        ///   - y: The flux density along y in µT, in steps of 0.1.
        public init(x: Scaled<Int16, Per10>, y: Scaled<Int16, Per10>) { (self.x, self.y) = (x, y) }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            x = try reader.read()
            y = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            x.encode(into: &output)
            y.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("x", unit: "µT", \.x), TextField("y", unit: "µT", \.y),
        ]
        #endif
    }

    /// The magnetic flux density along three axes: three signed 16-bit numbers of 10⁻⁷ T, that is 0.1 µT (GATT
    /// Specification Supplement, Magnetic Flux Density - 3D).
    public struct MagneticFluxDensity3D: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2AA1"
        public static let name = "Magnetic Flux Density - 3D"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readable

        /// The flux density along x in µT.
        public var x: Scaled<Int16, Per10>
        /// The flux density along y in µT.
        public var y: Scaled<Int16, Per10>
        /// The flux density along z in µT.
        public var z: Scaled<Int16, Per10>

        /// Creates a value without flux.
        public init() { self.init(x: Scaled(rawValue: 0), y: Scaled(rawValue: 0), z: Scaled(rawValue: 0)) }

        /// Creates a flux density.
        ///
        /// - Parameters:
        ///   - x: The flux density along x in µT, in steps of 0.1.
        ///   - y: The flux density along y in µT, in steps of 0.1.
        ///   - z: The flux density along z in µT, in steps of 0.1.
        public init(x: Scaled<Int16, Per10>, y: Scaled<Int16, Per10>, z: Scaled<Int16, Per10>) {
            (self.x, self.y, self.z) = (x, y, z)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            x = try reader.read()
            y = try reader.read()
            z = try reader.read()
        }

        public var encodedByteCount: Int { 6 }

        public func encode(into output: inout OutputRawSpan) {
            x.encode(into: &output)
            y.encode(into: &output)
            z.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("x", unit: "µT", \.x), TextField("y", unit: "µT", \.y), TextField("z", unit: "µT", \.z),
        ]
        #endif
    }
}
