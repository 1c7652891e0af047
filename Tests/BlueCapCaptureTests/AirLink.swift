// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

@testable import BlueCapCapture

/// A link as a sniffer hears it, packet by packet, with an analysis that takes each.
struct AirLink {
    static let central = PeerIdentifier("C0:DE:00:00:00:02")
    static let peripheral = PeerIdentifier("C0:DE:00:00:00:01")
    private static let accessAddress = bytes("01DEC050")

    private(set) var analysis = CaptureAnalysis()
    private(set) var accesses: [CapturedAccess] = []
    private var sequences = [true: UInt8(0), false: UInt8(0)]
    private var time: Int64 = LampSession.start

    /// CONNECT_IND between two random addresses.
    init() {
        add(
            bytes("D6BE898E C5 22 02000000DEC0 01000000DEC0") + Self.accessAddress
                + bytes("010203 02 0000 1800 0000 4800 FFFFFFFF1F 05"), nil)
    }

    /// The services of the device that is the peripheral.
    var services: [TwinService] { analysis.twin(of: Self.peripheral)?.services ?? [] }

    /// Passes a packet of the Attribute Protocol.
    ///
    /// - Parameter direction: The direction that the file records; nil for none.
    mutating func pass(_ text: String, fromCentral: Bool, direction: CapturedPacket.Direction?) {
        let packet = bytes(text)
        let little = Framing.btsnoop1001.little
        data(2, little(packet.count, 2) + [4, 0] + packet, fromCentral: fromCentral, direction: direction)
    }

    /// Passes a packet of the link layer: 1 and 2 are data, 3 is control.
    mutating func data(
        _ kind: UInt8, _ payload: [UInt8], fromCentral: Bool, direction: CapturedPacket.Direction? = nil
    ) {
        let sequence = sequences[fromCentral, default: 0]
        sequences[fromCentral] = 1 - sequence
        add(Self.accessAddress + [kind | sequence << 3, UInt8(payload.count)] + payload, direction)
    }

    private mutating func add(_ packet: some Sequence<UInt8>, _ direction: CapturedPacket.Direction?) {
        time += 10_000
        accesses += analysis.add(
            CapturedPacket(
                time: Timestamp(microseconds: time), kind: .linkLayer(.init(direction: direction)),
                bytes: Bytes(Array(packet) + [0, 0, 0])))
    }
}
