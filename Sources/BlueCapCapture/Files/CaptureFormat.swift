// SPDX-License-Identifier: MIT

/// A format of capture files.
public enum CaptureFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The format of Symbian, Android's "HCI snoop log" and BlueZ's btmon.
    case btsnoop
    /// The format of libpcap.
    case pcap
    /// Wireshark's format.
    case pcapng
    /// The format of Apple's PacketLogger.
    case packetLogger

    /// The format's name.
    public var description: String { self == .packetLogger ? "Apple PacketLogger" : rawValue }
}
