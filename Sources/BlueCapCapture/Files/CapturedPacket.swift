// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// One packet of a capture, without the framing of the file that it came from.
public struct CapturedPacket: Sendable, Hashable {
    /// Which way a packet went.
    public enum Direction: Sendable, Hashable {
        /// From the host to its controller; on the air, from the central to the peripheral.
        case sent
        /// From the controller to its host; on the air, from the peripheral to the central.
        case received
    }

    /// What a packet is.
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

    /// What a sniffer makes of the encryption of a payload.
    public enum Encryption: Sendable, Hashable {
        /// It was not encrypted.
        case plain
        /// It is ciphertext.
        case encrypted
        /// It was encrypted, and the sniffer had the key.
        case decrypted
    }

    /// What a sniffer says about a link-layer packet.
    public struct Reception: Sendable, Hashable {
        /// The signal strength in dBm.
        public var rssi: Int?
        /// From the central (`.sent`) or from the peripheral (`.received`); nil where the sniffer does not know.
        public var direction: Direction?
        /// Whether the CRC was right; nil where it was not checked.
        public var isValid: Bool?
        /// What became of the payload's encryption; nil where the sniffer does not say.
        public var encryption: Encryption?
        /// Whether it was sent on the LE Coded PHY, which puts a coding indicator behind the access address.
        public var isCoded: Bool

        /// What a sniffer says.
        ///
        /// - Parameters:
        ///   - rssi: The signal strength in dBm.
        ///   - direction: Which side sent the packet.
        ///   - isValid: Whether the CRC was right.
        ///   - encryption: What became of the payload's encryption.
        ///   - isCoded: Whether it was sent on the LE Coded PHY.
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

    /// When it was captured; nil where the file does not say.
    public var time: Timestamp?
    /// The index of the controller: 0 where the format has only one.
    public var adapter: Int
    /// What it is.
    public var kind: Kind
    /// The packet. HCI packets are without the packet-type byte of a UART.
    public var bytes: Bytes
    /// Whether the file holds only the beginning of the packet.
    public var isCutOff: Bool

    /// A packet.
    ///
    /// - Parameters:
    ///   - time: When it was captured.
    ///   - adapter: The index of the controller.
    ///   - kind: What it is.
    ///   - bytes: The packet without any framing.
    ///   - isCutOff: Whether the end is missing.
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
