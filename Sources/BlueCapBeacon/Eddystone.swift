// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// An Eddystone frame: service data of FEAA (Google's Eddystone Protocol Specification).
///
/// It is decoded like the value of a characteristic: `try discovery.advertisements.serviceValue(Eddystone.self)`.
public enum Eddystone: CharacteristicValue, Hashable {
    /// An identifier of the beacon: 10 bytes of namespace and 6 of instance. The power is the signal strength at no
    /// distance, in dBm.
    case uid(power: Int8, namespace: Bytes, instance: Bytes)
    /// The address of a web page. The power is the signal strength at no distance, in dBm.
    case url(power: Int8, EddystoneURL)
    /// The state of the beacon.
    case telemetry(EddystoneTelemetry)
    /// An identifier of 8 bytes that only its owner's service can resolve. The power is the signal strength at no
    /// distance, in dBm.
    case ephemeral(power: Int8, identifier: Bytes)

    /// The service under which frames are sent.
    public static let uuid: BluetoothUUID = "FEAA"

    /// Frames of a kind may be padded. Only a URL takes all bytes, as it has no length of its own.
    public static var surplusBytes: SurplusBytes { .ignore }

    /// Creates the frame in an advertisement; nil if it has none, or one of an unknown kind.
    public init?(_ advertisements: PeripheralAdvertisements) {
        guard let data = advertisements.serviceData[Self.uuid] else { return nil }
        guard let frame = try? SerDe.deserialize(data, as: Eddystone.self) else { return nil }
        self = frame
    }

    /// Reads a frame; throws `SerDeError.invalidValue(offset:)` for a kind or version that is not known.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        switch try reader.read(UInt8.self) {
        case 0x00:
            let power = try reader.read(Int8.self)
            let namespace = try reader.readBytes(10)
            self = .uid(power: power, namespace: namespace, instance: try reader.readBytes(6))
        case 0x10:
            let power = try reader.read(Int8.self)
            self = .url(power: power, try EddystoneURL(from: &reader))
        case 0x20: self = .telemetry(try EddystoneTelemetry(from: &reader))
        case 0x30:
            let power = try reader.read(Int8.self)
            self = .ephemeral(power: power, identifier: try reader.readBytes(8))
        default: throw .invalidValue(offset: start)
        }
    }

    public var encodedByteCount: Int {
        switch self {
        case .uid(_, let namespace, let instance): 2 + namespace.count + instance.count + 2
        case .url(_, let url): 2 + url.encodedByteCount
        case .telemetry(let telemetry): 1 + telemetry.encodedByteCount
        case .ephemeral(_, let identifier): 2 + identifier.count
        }
    }

    /// Appends the frame. A namespace, instance or identifier of a wrong length is written as it is.
    public func encode(into output: inout OutputRawSpan) {
        switch self {
        case .uid(let power, let namespace, let instance):
            output.write(UInt8(0x00))
            output.write(power)
            output.write(namespace)
            output.write(instance)
            output.write(UInt16(0))
        case .url(let power, let url):
            output.write(UInt8(0x10))
            output.write(power)
            url.encode(into: &output)
        case .telemetry(let telemetry):
            output.write(UInt8(0x20))
            telemetry.encode(into: &output)
        case .ephemeral(let power, let identifier):
            output.write(UInt8(0x30))
            output.write(power)
            output.write(identifier)
        }
    }

    /// The advertisement of a beacon with this frame.
    public var advertisement: Advertisement {
        Advertisement(
            kind: .broadcast, serviceUUIDs: [Self.uuid], serviceData: [Self.uuid: SerDe.serialize(self)])
    }
}
