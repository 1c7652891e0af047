// SPDX-License-Identifier: MIT

/// The reason for which a file cannot be read as a capture, with the offset in the file where that shows.
public enum CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file has none of the known beginnings.
    case unknownFormat
    /// The file is compressed, or an archive.
    case compressed(CaptureCompression)
    /// A btsnoop file of a version other than 1, or a pcapng section of a version other than 1.
    case unsupportedVersion(CaptureFormat, version: Int)
    /// A btsnoop datalink, or a link type of pcap and pcapng, that holds no Bluetooth LE packets known here.
    case unsupportedLinkType(CaptureFormat, number: Int)
    /// The file ends within a header or a record that begins at this offset.
    case truncated(offset: Int)
    /// A record at this offset says that it is longer than ``CaptureReader/maximumPacketByteCount``, or shorter than
    /// its own header.
    case invalidLength(Int, offset: Int)
    /// A block of a pcapng file at this offset contradicts itself.
    case invalidBlock(String, offset: Int)

    /// A sentence with the fault and its place.
    public var description: String {
        switch self {
        case .unknownFormat:
            "this is no capture: btsnoop, pcap, pcapng and Apple PacketLogger are known"
        case .compressed(let compression):
            "this file is compressed (\(compression.rawValue)): '\(compression.command)' unpacks it"
        case .unsupportedVersion(let format, let version):
            "\(format) version \(version) is not known, only version 1"
        case .unsupportedLinkType(.btsnoop, let number):
            "btsnoop datalink \(number) is not known; 1001 (HCI), 1002 (HCI UART) and 2001 (Linux Monitor) are"
        case .unsupportedLinkType(let format, 192):
            "link type 192 of \(format) is PPI, which is not read: "
                + "'editcap -C 24 -T bluetooth-le-ll FILE NEW' of Wireshark makes link type 251 of it, as long as the "
                + "header of its packets has 24 bytes, and 'ubertooth-btle -r' records link type 256"
        case .unsupportedLinkType(let format, let number):
            "link type \(number) of \(format) is no Bluetooth LE that is known here; 187, 201, 251, 254, 256 and 272 are"
        case .truncated(let offset):
            "the file ends within what begins at offset \(offset)"
        case .invalidLength(let length, let offset):
            "the record at offset \(offset) has an impossible length (\(length))"
        case .invalidBlock(let reason, let offset):
            "the block at offset \(offset) is damaged: \(reason)"
        }
    }
}
