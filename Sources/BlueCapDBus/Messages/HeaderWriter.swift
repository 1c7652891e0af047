// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Writes the header of a message of our own, from fields that were checked.
struct HeaderWriter {
    private var writer = WireWriter(capacity: 256)
    private var header: FrameHeader

    /// The beginning of a header. Only a method call can expect a reply, or have the bus start a service.
    init(_ kind: Message.Kind, expectsReply: Bool = false, autoStart: Bool = true) {
        header = FrameHeader(kind, expectsReply: expectsReply)
        writer.append(UInt8(ascii: UInt16(1).bigEndian == 1 ? "B" : "l"))
        writer.append(kind.code)
        writer.append((expectsReply ? 0 : 1) | (autoStart ? 0 : 2) as UInt8)
        // The version of the protocol.
        writer.append(1 as UInt8)
        // The lengths of the body and of the fields are put in at the end, and the serial between them when it is sent.
        for _ in 0..<3 { writer.append(0 as UInt32) }
    }

    mutating func append(_ field: FrameHeader.Field, _ text: String) {
        begin(field.rawValue, field == .path ? "o" : "s")
        writer.append(text: text)
        record(field, text)
    }

    mutating func appendReplySerial(_ serial: UInt32) {
        begin(5, "u")
        writer.append(serial)
        header.replySerial = serial
    }

    /// The whole message.
    consuming func finish(_ body: WireWriter, _ signature: String, _ descriptors: MessageDescriptors) -> Frame {
        if !signature.isEmpty {
            begin(FrameHeader.Field.signature.rawValue, "g")
            writer.append(signature: signature)
            record(.signature, signature)
        }
        if descriptors.count > 0 {
            begin(9, "u")
            writer.append(UInt32(descriptors.count))
            header.descriptorCount = descriptors.count
        }
        writer.put(UInt32(writer.count - FramePrefix.length), at: 12)
        writer.align(8)
        writer.put(UInt32(body.count), at: 4)
        header.bodyStart = writer.count
        writer.append(body)
        let bytes = writer.bytes
        return Frame(bytes: bytes, place: bytes.indices, header: header, descriptors: descriptors)
    }

    /// Each field is a structure of its number and a variant.
    private mutating func begin(_ code: UInt8, _ type: Unicode.Scalar) {
        writer.align(8)
        // The number, and the signature of one type: its length, the type, and a byte behind it.
        writer.append((UInt32(code) | 1 << 8 | type.value << 16).littleEndian)
    }

    /// The text has been written last, with a byte behind it.
    private mutating func record(_ field: FrameHeader.Field, _ text: String) {
        let end = writer.count - 1
        header.record(field, end - text.utf8.count..<end)
    }
}

extension Message.Kind {
    /// The number that stands for it in a header.
    var code: UInt8 {
        switch self {
        case .methodCall: 1
        case .methodReturn: 2
        case .error: 3
        case .signal: 4
        }
    }
}
#endif
