// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A frame of measurements and states in a sensor's BTHome advertisement, version 2: service data of FCD2
/// (bthome.io/format).
///
/// It is decoded like the value of a characteristic, and encoded to be advertised by a program:
///
/// ```swift
/// let frame = try discovery.advertisements.serviceValue(BTHome.self)
/// for measurement in frame?.measurements ?? [] { print(measurement) }
/// ```
public struct BTHome: CharacteristicValue, Hashable {
    /// The service under which frames are sent.
    public static let uuid: BluetoothUUID = "FCD2"

    /// A Boolean value that is true if the objects are encrypted: then ``objects`` is empty, and ``unread`` has the
    /// ciphertext.
    public let isEncrypted: Bool
    /// A Boolean value that is true if the device sends only at events, such as the press of a button, and false if it
    /// sends at regular intervals.
    public let isTriggered: Bool
    /// The address of the device, if the frame has it: six bytes in the order of their text.
    public let address: Bytes?
    /// All objects, in the order in which they are sent.
    public let objects: [BTHomeObject]
    /// The bytes from the first object that cannot be decoded: its kind, and so its size, is unknown, or its bytes are
    /// not all there.
    public let unread: Bytes

    /// Creates a frame that is not encrypted.
    ///
    /// - Parameters:
    ///   - objects: The objects of the frame. The format demands the order of their identifiers, so that older
    ///     receivers read the objects that they know.
    ///   - isTriggered: Whether the frame is sent at an event, and not at regular intervals.
    public init(objects: [BTHomeObject], isTriggered: Bool = false) {
        let information = Self.version << 5 | (isTriggered ? Self.trigger : 0)
        self.init(information: information, address: nil, objects: objects, unread: Bytes())
    }

    /// Creates a frame of its parts. The body is the bytes behind the address; those of an encrypted frame are left
    /// unread.
    init(information: UInt8, address: Bytes?, body: Bytes) {
        let isReadable = information & Self.encryption == 0 && (information & Self.addressed == 0 || address != nil)
        let (objects, unread) = isReadable ? BTHomeObject.all(in: body) : ([], body)
        self.init(information: information, address: address, objects: objects, unread: unread)
    }

    private init(information: UInt8, address: Bytes?, objects: [BTHomeObject], unread: Bytes) {
        isEncrypted = information & Self.encryption != 0
        isTriggered = information & Self.trigger != 0
        (self.information, self.address, self.objects, self.unread) = (information, address, objects, unread)
    }

    /// Creates the frame in an advertisement; nil if it has none, or one of another version.
    public init?(_ advertisements: PeripheralAdvertisements) {
        guard let frame = try? advertisements.serviceValue(BTHome.self) else { return nil }
        self = frame
    }

    /// The objects about the device's surroundings or its state, without those about the packet.
    public var measurements: [BTHomeObject] { objects.filter(\.isMeasurement) }

    /// The number of the packet, which distinguishes a new packet from a repeated one; nil if it is not sent.
    public var packetNumber: UInt8? { objects.first { $0.id == 0x00 }?.bytes.first }

    /// Reads a frame; throws `SerDeError.invalidValue(offset:)` for another version than 2. Bytes after the first that
    /// cannot be decoded, an incomplete address included, are kept in ``unread`` and never cause an error.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        let information = try reader.read(UInt8.self)
        guard information >> 5 == Self.version else { throw .invalidValue(offset: start) }
        let isAddressed = information & Self.addressed != 0 && reader.remaining >= Self.addressByteCount
        let address = isAddressed ? Bytes(try reader.readBytes(Self.addressByteCount).reversed()) : nil
        self.init(information: information, address: address, body: try reader.readBytes(reader.remaining))
    }

    public var encodedByteCount: Int {
        objects.reduce(1 + (address?.count ?? 0) + unread.count) { $0 + $1.encodedByteCount }
    }

    public func encode(into output: inout OutputRawSpan) {
        output.write(information)
        for byte in (address ?? []).reversed() { output.write(byte) }
        for object in objects { object.encode(into: &output) }
        output.write(unread)
    }

    /// The advertisement of a device with this frame.
    public var advertisement: Advertisement {
        Advertisement(kind: .broadcast, serviceData: [Self.uuid: SerDe.serialize(self)])
    }

    /// The first byte, reserved bits included: an encrypted frame is bound to it.
    let information: UInt8

    /// A Boolean value that is true if the first byte announces an address of which bytes are missing.
    var isCut: Bool { information & Self.addressed != 0 && address == nil }

    /// The bytes behind the address.
    var body: Bytes {
        Bytes(SerDe.serialize(self).dropFirst(1 + (address?.count ?? 0)))
    }

    static let encryption: UInt8 = 0x01
    static let addressed: UInt8 = 0x02
    static let addressByteCount = 6
    private static let version: UInt8 = 2
    private static let trigger: UInt8 = 0x04
}
