// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// An AltBeacon frame: the 24 bytes after the maker's company identifier in manufacturer data.
///
/// Layout (AltBeacon Protocol Specification 1.0): code 0xBEAC big-endian, 20 bytes of identifier, the signal strength
/// at one metre, a signed byte, and a byte that is the maker's own.
public struct AltBeacon: ByteDecodable, ByteEncodable, Hashable {
    /// The frame has 24 bytes: those behind it are not its own.
    public static var surplusBytes: SurplusBytes { .ignore }

    /// The company identifier of the beacon's maker.
    public var company: UInt16
    /// The 16 bytes that name the owner, as a UUID in the order of its text.
    public var identifier: BluetoothUUID
    /// The first two of the last four identifying bytes, big-endian, by convention a major number.
    public var major: UInt16
    /// The last two identifying bytes, big-endian, by convention a minor number.
    public var minor: UInt16
    /// The signal strength at a distance of one metre, in dBm.
    public var measuredPower: Int8
    /// A byte for the maker's own use.
    public var makerByte: UInt8

    /// Creates a frame.
    ///
    /// - Parameters:
    ///   - company: The company identifier of the maker.
    ///   - identifier: The first 16 of the 20 identifying bytes.
    ///   - major: The next two of them.
    ///   - minor: The last two of them.
    ///   - measuredPower: The signal strength at one metre in dBm.
    ///   - makerByte: A byte for the maker's own use.
    public init(
        company: UInt16, identifier: BluetoothUUID, major: UInt16, minor: UInt16, measuredPower: Int8,
        makerByte: UInt8 = 0
    ) {
        self.company = company
        self.identifier = identifier
        self.major = major
        self.minor = minor
        self.measuredPower = measuredPower
        self.makerByte = makerByte
    }

    /// Creates the first frame in an advertisement, by company identifier; nil if it has none.
    public init?(_ advertisements: PeripheralAdvertisements) {
        for (company, data) in advertisements.manufacturerData.sorted(by: { $0.key < $1.key }) {
            guard var frame = try? SerDe.deserialize(data, as: AltBeacon.self) else { continue }
            frame.company = company
            self = frame
            return
        }
        return nil
    }

    /// Reads the frame, without ``company``, which precedes it; throws `SerDeError.invalidValue(offset:)` for another
    /// code.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        guard try reader.read(UInt16.self, .bigEndian) == 0xBEAC else { throw .invalidValue(offset: start) }
        company = 0
        identifier = try reader.readBigEndianUUID()
        major = try reader.read(UInt16.self, .bigEndian)
        minor = try reader.read(UInt16.self, .bigEndian)
        measuredPower = try reader.read(Int8.self)
        makerByte = try reader.read(UInt8.self)
    }

    public var encodedByteCount: Int { 24 }

    /// Appends the frame, without ``company``.
    public func encode(into output: inout OutputRawSpan) {
        output.write(UInt16(0xBEAC), .bigEndian)
        output.writeBigEndian(identifier)
        output.write(major, .bigEndian)
        output.write(minor, .bigEndian)
        output.write(measuredPower)
        output.write(makerByte)
    }

    /// The advertisement of a beacon with this frame.
    public var advertisement: Advertisement {
        Advertisement(kind: .broadcast, manufacturerData: [company: SerDe.serialize(self)])
    }
}
