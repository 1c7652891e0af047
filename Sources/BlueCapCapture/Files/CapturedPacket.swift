// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// One packet of a capture, without the framing of the file that it came from.
public struct CapturedPacket: Sendable, Hashable {
    /// The direction of a packet.
    public enum Direction: Sendable, Hashable {
        /// From the host to its controller; on the air, from the central to the peripheral.
        case sent
        /// From the controller to its host; on the air, from the peripheral to the central.
        case received
    }

    /// The kind of a packet.
    public enum Kind: Sendable, Hashable {
        /// An HCI command (Core Specification, Vol 4, Part E, 5.4.1).
        case command
        /// An HCI event (5.4.4).
        case event
        /// HCI ACL data (5.4.2). The direction is nil where the file does not record it.
        case data(Direction?)
        /// A link-layer packet as a sniffer heard it: access address, PDU and CRC (Vol 6, Part B, 2.1).
        case linkLayer(Reception)
        /// A controller appeared: its address in little-endian order, where it is known.
        case controllerAdded
        /// Anything else: synchronous and isochronous data, logs, messages of a sniffer.
        case other
    }

    /// The encryption of a payload as a sniffer reports it.
    public enum Encryption: Sendable, Hashable {
        /// The payload was not encrypted.
        case plain
        /// The payload is ciphertext.
        case encrypted
        /// The payload was encrypted, and the sniffer had the key.
        case decrypted
    }

    /// The facts that a sniffer reports about a link-layer packet.
    public struct Reception: Sendable, Hashable {
        /// The signal strength in dBm.
        public var rssi: Int?
        /// The side that sent the packet: the central (`.sent`) or the peripheral (`.received`); nil where the sniffer
        /// does not know.
        public var direction: Direction?
        /// A Boolean value that is true if the CRC was right; nil where it was not checked.
        public var isValid: Bool?
        /// The encryption of the payload; nil where the sniffer does not report it.
        public var encryption: Encryption?
        /// A Boolean value that is true if the packet was sent on the LE Coded PHY, which puts a coding indicator
        /// behind the access address.
        public var isCoded: Bool

        /// Creates a report of a sniffer.
        ///
        /// - Parameters:
        ///   - rssi: The signal strength in dBm.
        ///   - direction: The side that sent the packet.
        ///   - isValid: Whether the CRC was right.
        ///   - encryption: The encryption of the payload.
        ///   - isCoded: Whether the packet was sent on the LE Coded PHY.
        public init(
            rssi: Int? = nil, direction: Direction? = nil, isValid: Bool? = nil, encryption: Encryption? = nil,
            isCoded: Bool = false
        ) {
            self.rssi = rssi
            self.direction = direction
            self.isValid = isValid
            self.encryption = encryption
            self.isCoded = isCoded
        }
    }

    /// The time at which the packet was captured; nil where the file does not say.
    public var time: Timestamp?
    /// The index of the controller: 0 where the format has only one.
    public var adapter: Int
    /// The kind of the packet.
    public var kind: Kind
    /// The packet. HCI packets are without the packet-type byte of a UART.
    public var bytes: Bytes
    /// A Boolean value that is true if the file holds only the beginning of the packet.
    public var isCutOff: Bool

    /// Creates a packet of a capture.
    ///
    /// - Parameters:
    ///   - time: The time at which the packet was captured; nil if it is unknown.
    ///   - adapter: The index of the controller.
    ///   - kind: The kind of the packet.
    ///   - bytes: The packet without any framing.
    ///   - isCutOff: Whether the end of the packet is missing.
    public init(
        time: Timestamp?, adapter: Int = 0, kind: Kind, bytes: Bytes, isCutOff: Bool = false
    ) {
        self.time = time
        self.adapter = adapter
        self.kind = kind
        self.bytes = bytes
        self.isCutOff = isCutOff
    }
}

extension Timestamp {
    /// A moment from microseconds since 1970.
    init(microseconds: Int64) { self.init(sinceEpoch: .microseconds(microseconds)) }

    /// Microseconds since 1970, kept within the range of the number.
    var microseconds: Int64 {
        let (seconds, attoseconds) = sinceEpoch.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflow || isTooLong ? (seconds < 0 ? .min : .max) : sum
    }
}
