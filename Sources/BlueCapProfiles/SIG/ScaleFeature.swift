// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The capabilities of a scale: 32 bits, little-endian, with the options lowest, four bits of mass resolution and three
/// bits of height resolution above them (GATT Specification Supplement, Weight Scale Feature and Body Composition
/// Feature). Reserved bits are ignored.
public protocol ScaleFeature: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
    /// The capabilities of the scale beside weighing.
    associatedtype Options: NamedFlags where Options.RawValue == UInt32

    /// The number of bits of the options.
    static var optionBitCount: Int { get }

    /// The capabilities of the scale.
    var options: Options { get set }
    /// The resolution of masses.
    var massResolution: MassResolution { get set }
    /// The resolution of heights.
    var heightResolution: HeightResolution { get set }
}

extension ScaleFeature {
    /// A central may read the value.
    public static var properties: CharacteristicProperties { .read }

    /// Any central may read the value.
    public static var permissions: AttributePermissions { .readable }

    #if !hasFeature(Embedded)
    /// `options`, `massResolution` and `heightResolution`.
    public static var textFields: [TextField<Self>] {
        [
            TextField("options", \.options),
            TextField(choice: "massResolution", \.massResolution),
            TextField(choice: "heightResolution", \.heightResolution),
        ]
    }
    #endif

    /// Reads four bytes.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let bits = try reader.read(UInt32.self)
        self.init()
        options = Options(rawValue: bits)
        massResolution = MassResolution(rawValue: UInt8(truncatingIfNeeded: bits >> Self.optionBitCount))
        heightResolution = HeightResolution(rawValue: UInt8(truncatingIfNeeded: bits >> (Self.optionBitCount + 4)))
    }

    /// The encoded value has four bytes.
    public var encodedByteCount: Int { 4 }

    /// Appends four bytes.
    public func encode(into output: inout OutputRawSpan) {
        let mass = UInt32(massResolution.rawValue) << Self.optionBitCount
        let height = UInt32(heightResolution.rawValue) << (Self.optionBitCount + 4)
        output.write(options.rawValue | mass | height)
    }
}

/// The resolution with which a scale measures heights: three bits (GATT Specification Supplement, Weight Scale
/// Feature).
public struct HeightResolution: AssignedNumber {
    public let rawValue: UInt8

    /// Creates a resolution from the lowest 3 bits of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7 }

    /// The scale does not specify the resolution.
    public static let notSpecified = Self(rawValue: 0)
    /// 0.01 m or 1 in.
    public static let millimetres10 = Self(rawValue: 1)
    /// 0.005 m or 0.5 in.
    public static let millimetres5 = Self(rawValue: 2)
    /// 0.001 m or 0.1 in.
    public static let millimetre1 = Self(rawValue: 3)

    public static let assigned: [(Self, String)] = [
        (.notSpecified, "Not Specified"),
        (.millimetres10, "0.01 m or 1 in"),
        (.millimetres5, "0.005 m or 0.5 in"),
        (.millimetre1, "0.001 m or 0.1 in"),
    ]
}
