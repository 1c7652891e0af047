// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The frames of MiBeacon, versions 2 to 5, of devices of Xiaomi and others: a list of objects, clear or encrypted.
///
/// Layout (iot.mi.com, "MiBeacon protocol"): frame control, the number of the product and the frame's counter; as frame
/// control says, the device's address and its capability; the objects. Integers are little-endian.
enum MiBeacon {
    static let name = "MiBeacon"
    static let format = SensorFormat(
        SensorFormat.Parts(name: name, sources: [.service("FE95")], lengths: headByteCount...254),
        writer: MiBeaconWriter.writer, decode: reading)

    private static let headByteCount = 5
    private static let versions = 2...5
    /// The bits of frame control.
    private enum Control {
        static let encrypted: UInt16 = 0x08
        static let addressed: UInt16 = 0x10
        static let capable: UInt16 = 0x20
        static let objects: UInt16 = 0x40
        static let mesh: UInt16 = 0x80
    }
    private static let moreCapability: UInt8 = 0x20

    /// The reading of a frame with objects, of which an encrypted one has no values; nil for others.
    static func reading(of frame: Bytes) -> SensorReading? {
        guard frame.count >= headByteCount else { return nil }
        let control = UInt16(frame[0]) | UInt16(frame[1]) << 8
        guard control & (Control.objects | Control.mesh) == Control.objects, versions.contains(Int(control >> 12))
        else { return nil }
        var start = headByteCount
        var address: Bytes?
        if control & Control.addressed != 0 {
            guard frame.count >= start + SensorFormat.addressByteCount else { return nil }
            address = Bytes(frame[start..<start + SensorFormat.addressByteCount].reversed())
            start += SensorFormat.addressByteCount
        }
        if control & Control.capable != 0 {
            guard frame.count > start else { return nil }
            start += frame[start] & moreCapability == 0 ? 1 : 2
        }
        guard start < frame.count else { return nil }
        let product = UInt16(frame[2]) | UInt16(frame[3]) << 8
        let isSealed = control & Control.encrypted != 0
        if isSealed {
            return sealed(frame, start, product, address: address, isOld: control >> 12 <= 3)
        }
        return clear(frame[start...], product, counter: UInt64(frame[4]), address: address)
    }

    /// A tag of one byte may be right by chance, but then the bytes are hardly ever a list that ends with them.
    private static func clear(
        _ list: Bytes.SubSequence, _ product: UInt16, counter: UInt64, address: Bytes?
    ) -> SensorReading? {
        var objects = MiBeaconObjects(product: product)
        guard objects.take(list) else { return nil }
        return SensorReading(
            format: name, values: objects.values, events: objects.events, counter: counter, address: address)
    }

    /// An encrypted frame ends with three more bytes of its counter and a tag: four bytes of it, and one until version
    /// 3, whose three bytes may be random ones.
    private static func sealed(
        _ frame: Bytes, _ start: Int, _ product: UInt16, address: Bytes?, isOld: Bool
    ) -> SensorReading? {
        let tagByteCount = isOld ? 1 : 4
        let end = frame.count - tagByteCount
        guard start < end - 3 else { return nil }
        let more = Bytes(frame[end - 3..<end])
        let counter = UInt32(frame[4]) | UInt32(more[0]) << 8 | UInt32(more[1]) << 16 | UInt32(more[2]) << 24
        var parts = SealedFrame.Parts(
            body: Bytes(frame[start..<end - 3]), tag: Bytes(frame[end...]), counter: counter)
        if isOld {
            parts.nonceHead = Bytes(frame.prefix(headByteCount)) + more
            parts.addressByteCount = 5
            parts.tagByteCount = 16
            parts.isOrdered = false
            parts.needsShortKey = true
        } else {
            parts.nonceTail = Bytes(frame[2..<headByteCount]) + more
        }
        return SensorReading(
            format: name, counter: UInt64(counter), address: address,
            sealed: SealedFrame(parts) { body in
                clear(body[...], product, counter: UInt64(counter), address: address)
            })
    }
}

extension SensorFormats {
    /// The 16 bytes of a key of which a device has 12, as one of MiBeacon until version 3 does.
    static func filledKey(_ bytes: Bytes) -> Bytes {
        Bytes(bytes.prefix(6)) + [0x8D, 0x3D, 0x3C, 0x97] + Bytes(bytes.dropFirst(6))
    }
}
