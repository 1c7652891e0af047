// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// An iBeacon frame: the 23 bytes after Apple's company identifier in manufacturer data.
///
/// Layout (Apple, Proximity Beacon Specification, 3): type 0x02, length 0x15, the proximity UUID in the order of its
/// text, major and minor big-endian, and the measured power, a signed byte.
public struct IBeacon: ByteDecodable, ByteEncodable, Hashable {
    /// The frame's own length says where it ends: bytes behind it are another's.
    public static var surplusBytes: SurplusBytes { .ignore }

    /// Apple's company identifier.
    public static let company: UInt16 = 0x004C

    /// The UUID of a family of beacons, usually of one owner.
    public var proximityUUID: BluetoothUUID
    /// The number of a group within the family.
    public var major: UInt16
    /// The number of the beacon within the group.
    public var minor: UInt16
    /// The signal strength at a distance of one metre, in dBm.
    public var measuredPower: Int8

    /// Creates a frame.
    ///
    /// - Parameters:
    ///   - proximityUUID: The UUID of the family.
    ///   - major: The number of the group.
    ///   - minor: The number of the beacon in its group.
    ///   - measuredPower: The signal strength at one metre in dBm.
    public init(proximityUUID: BluetoothUUID, major: UInt16, minor: UInt16, measuredPower: Int8) {
        self.proximityUUID = proximityUUID
        self.major = major
        self.minor = minor
        self.measuredPower = measuredPower
    }

    /// Creates the frame in an advertisement; nil if it has none.
    public init?(_ advertisements: PeripheralAdvertisements) {
        guard let data = advertisements.manufacturerData[Self.company] else { return nil }
        guard let frame = try? SerDe.deserialize(data, as: IBeacon.self) else { return nil }
        self = frame
    }

    /// Reads the frame; throws `SerDeError.invalidValue(offset:)` when type or length are another's.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        guard try reader.read(UInt16.self, .bigEndian) == 0x0215 else { throw .invalidValue(offset: start) }
        proximityUUID = try reader.readBigEndianUUID()
        major = try reader.read(UInt16.self, .bigEndian)
        minor = try reader.read(UInt16.self, .bigEndian)
        measuredPower = try reader.read(Int8.self)
    }

    public var encodedByteCount: Int { 23 }

    public func encode(into output: inout OutputRawSpan) {
        output.write(UInt16(0x0215), .bigEndian)
        output.writeBigEndian(proximityUUID)
        output.write(major, .bigEndian)
        output.write(minor, .bigEndian)
        output.write(measuredPower)
    }

    /// The advertisement of a beacon with this frame: centrals cannot connect to it, and it has no other data.
    public var advertisement: Advertisement {
        Advertisement(kind: .broadcast, manufacturerData: [Self.company: SerDe.serialize(self)])
    }
}
