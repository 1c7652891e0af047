// SPDX-License-Identifier: MIT

/// The kind of packets in a btsnoop file, by the number in its header.
public enum BTSnoopDatalink: UInt32, Sendable, Hashable, CaseIterable {
    /// HCI packets without framing; the record's flags say which kind (H1).
    case hci = 1001
    /// HCI packets behind the packet-type byte of the UART transport (H4), as Android writes them.
    case uart = 1002
    /// The Linux kernel's monitor: several controllers in one file, as btmon writes them.
    case monitor = 2001
}
