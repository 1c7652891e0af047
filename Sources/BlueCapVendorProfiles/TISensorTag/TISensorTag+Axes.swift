// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension TISensorTag {
    /// A sample of three axes: three signed numbers in the order x, y, z.
    ///
    /// The sensors sit on the board with x and y turned round: x = −raw·unit, y = −raw·unit, z = raw·unit.
    public protocol Axes: RawArrayDeserializable, StringDeserializable, Hashable where RawType: FixedWidthInteger {
        /// The quantity that one count stands for along z.
        static var unit: Double { get }

        /// The x axis as it is sent.
        var xRaw: RawType { get }
        /// The y axis as it is sent.
        var yRaw: RawType { get }
        /// The z axis as it is sent.
        var zRaw: RawType { get }

        /// Creates a sample from the three numbers as they are sent; every number is allowed.
        ///
        /// - Parameters:
        ///   - xRaw: The x axis in counts, as it is sent: turned round.
        ///   - yRaw: The y axis in counts, as it is sent: turned round as well.
        ///   - zRaw: The z axis in counts, as it is sent.
        init(xRaw: RawType, yRaw: RawType, zRaw: RawType)
    }
}

extension TISensorTag.Axes {
    /// The size of three numbers.
    @inlinable public static var size: Int { 3 * RawType.size }

    /// The quantity along x.
    public var x: Double { (0 - Double(xRaw)) * Self.unit }
    /// The quantity along y.
    public var y: Double { (0 - Double(yRaw)) * Self.unit }
    /// The quantity along z.
    public var z: Double { Double(zRaw) * Self.unit }

    /// Creates a sample from the quantity along each axis, rounded to the nearest count.
    ///
    /// - Parameters:
    ///   - x: The quantity along x.
    ///   - y: The quantity along y.
    ///   - z: The quantity along z.
    /// - Throws: `SerDeError.invalidValue(offset:)` with the offset of the axis that the numbers cannot hold.
    public init(x: Double, y: Double, z: Double) throws(SerDeError) {
        self.init(
            xRaw: try Self.raw(-x, offset: 0), yRaw: try Self.raw(-y, offset: RawType.size),
            zRaw: try Self.raw(z, offset: 2 * RawType.size))
    }

    /// The three numbers as they are sent.
    public var rawValue: [RawType] { [xRaw, yRaw, zRaw] }

    /// Creates a sample from the three numbers as they are sent; nil for any other count.
    public init?(rawValue: [RawType]) {
        guard rawValue.count == 3 else { return nil }
        self.init(xRaw: rawValue[0], yRaw: rawValue[1], zRaw: rawValue[2])
    }

    /// The axes, `x`, `y` and `z`, with two decimals, and as they are sent, `xRaw`, `yRaw` and `zRaw`.
    public var stringValue: [String: String] {
        [
            "x": DecimalText.fixed(x, 2), "y": DecimalText.fixed(y, 2), "z": DecimalText.fixed(z, 2),
            "xRaw": "\(xRaw)", "yRaw": "\(yRaw)", "zRaw": "\(zRaw)",
        ]
    }

    /// Creates a sample from `xRaw`, `yRaw` and `zRaw`; nil when one is missing or out of the numbers' range.
    public init?(stringValue: [String: String]) {
        guard let x = stringValue["xRaw"].flatMap(RawType.init), let y = stringValue["yRaw"].flatMap(RawType.init),
            let z = stringValue["zRaw"].flatMap(RawType.init)
        else { return nil }
        self.init(xRaw: x, yRaw: y, zRaw: z)
    }

    private static func raw(_ quantity: Double, offset: Int) throws(SerDeError) -> RawType {
        guard let raw = RawType(exactly: (quantity / unit).rounded()) else { throw .invalidValue(offset: offset) }
        return raw
    }

    /// Reads the three numbers without the array that `rawValue` makes.
    ///
    /// - Throws: `SerDeError.truncated(needed:available:offset:)`.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        guard reader.remaining >= Self.size else {
            throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
        }
        let x = try reader.read(RawType.self, .littleEndian)
        let y = try reader.read(RawType.self, .littleEndian)
        let z = try reader.read(RawType.self, .littleEndian)
        self.init(xRaw: x, yRaw: y, zRaw: z)
    }

    /// The size of three numbers.
    @inlinable public var encodedByteCount: Int { Self.size }

    /// Appends the three numbers.
    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        output.write(xRaw)
        output.write(yRaw)
        output.write(zRaw)
    }
}
