// SPDX-License-Identifier: MIT

/// A format of capture files.
public enum CaptureFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The format of Symbian, Android's "HCI snoop log" and BlueZ's btmon.
    case btsnoop
    /// The format of libpcap.
    case pcap
    /// The format that Wireshark writes (PCAP Next Generation).
    case pcapng
    /// The format of Apple's PacketLogger.
    case packetLogger

    /// The name of the format.
    public var description: String { self == .packetLogger ? "Apple PacketLogger" : rawValue }
}
