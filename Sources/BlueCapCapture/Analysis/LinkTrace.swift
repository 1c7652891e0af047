// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// One link of a capture: its ends, the packets in both directions, and the resulting knowledge of both ends' servers.
struct LinkTrace: Sendable {
    enum Side: Int, Sendable, CaseIterable {
        case central
        case peripheral

        var other: Side { self == .central ? .peripheral : .central }
    }

    /// The devices at the ends.
    var central: PeerIdentifier
    var peripheral: PeerIdentifier
    /// Whether the host that HCI packets are seen at is the central.
    var isHostCentral = true
    var isEncrypted = false
    /// Whether packets that no sniffer marked are plain although the link is encrypted: another program had the key.
    var isDecrypted = false
    /// When it was last used, by the count of packets.
    var lastUse = 0

    private var reassemblers = [L2CAPReassembler(), L2CAPReassembler()]
    private var lastData: [LinkLayerData?] = [nil, nil]
    /// By the client's side.
    private var conversations = [ATTConversation(), ATTConversation()]
    var channels = ChannelConversation()

    init(central: PeerIdentifier, peripheral: PeerIdentifier, isHostCentral: Bool = true) {
        self.central = central
        self.peripheral = peripheral
        self.isHostCentral = isHostCentral
    }

    func device(_ side: Side) -> PeerIdentifier { side == .central ? central : peripheral }

    func sender(_ direction: CapturedPacket.Direction) -> Side {
        (direction == .sent) == isHostCentral ? .central : .peripheral
    }

    // MARK: Frames

    /// The meaning of a frame.
    enum Content {
        /// A packet of the Attribute Protocol.
        case attribute(Frame)
        /// A packet about a connection-oriented channel, or of one.
        case channel(ChannelConversation.Frame)
        /// An end hands over its identity in a pairing.
        case identity(DeviceAddress, of: Side)
    }

    struct Frame {
        var opcode: UInt8
        var pdu: ATTPDU
        /// The end whose server the packet is about.
        var server: Side
        /// Whether the file records who sent it.
        var isDirected: Bool
        var request: ATTConversation.Request?
        /// Whether that request counted as a request to the other server until now.
        var isCorrection = false
    }

    mutating func add(_ fragment: ACLFragment, direction: CapturedPacket.Direction?) -> Content? {
        var side = direction.map(sender)
        if side == nil, fragment.isContinuation {
            // The direction is not recorded: it goes on with a frame that lacks at least as many bytes, the later one
            // first.
            side = Side.allCases.first { reassemblers[$0.rawValue].missing >= fragment.payload.count }
        }
        let sender = side ?? .central
        let frame =
            fragment.isContinuation
            ? reassemblers[sender.rawValue].go(on: fragment.payload)
            : reassemblers[sender.rawValue].begin(fragment.payload)
        return frame.flatMap { Self.content($0, from: side) }
    }

    /// Whether a packet repeats the one before, as packets are sent until they are acknowledged.
    mutating func isRepetition(_ data: LinkLayerData, direction: CapturedPacket.Direction?) -> Bool {
        if let direction {
            let side = direction == .sent ? Side.central : .peripheral
            defer { lastData[side.rawValue] = data }
            return lastData[side.rawValue] == data
        }
        // The sender is not recorded: a repetition of either of the two packets before counts. Between two packets of
        // one side is one of the other's, most often an empty one.
        defer { lastData = [lastData[1], data] }
        return !data.payload.isEmpty && lastData.contains(data)
    }

    mutating func add(_ data: LinkLayerData, direction: CapturedPacket.Direction?) -> Content? {
        let side: Side? = direction.map { $0 == .sent ? .central : .peripheral }
        guard data.kind == 1 || data.kind == 2, !data.payload.isEmpty else { return nil }
        let sender = side ?? .central
        let frame =
            data.kind == 1
            ? reassemblers[sender.rawValue].go(on: data.payload[...])
            : reassemblers[sender.rawValue].begin(data.payload[...])
        return frame.flatMap { Self.content($0, from: side) }
    }

    /// A frame whose sender is not recorded is the central's where a client sends it, and the peripheral's otherwise.
    /// Both ends may hand over an identity, so that it says nothing then.
    private static func content(_ frame: L2CAPReassembler.Frame, from side: Side?) -> Content? {
        if frame.channel == L2CAPReassembler.securityChannel {
            return side.flatMap { side in identity(frame.payload).map { .identity($0, of: side) } }
        }
        if frame.channel == L2CAPReassembler.signalingChannel || frame.channel >= 0x40 {
            return .channel(.init(sender: side, channel: frame.channel, payload: frame.payload))
        }
        guard frame.channel == L2CAPReassembler.attributeChannel, let opcode = frame.payload.first,
            let role = ATTPDU.sender(of: opcode), let pdu = ATTPDU(frame.payload[...])
        else { return nil }
        let sender = side ?? (role == .client ? .central : .peripheral)
        return .attribute(
            Frame(opcode: opcode, pdu: pdu, server: role == .client ? sender.other : sender, isDirected: side != nil))
    }

    /// The address in Identity Address Information of the Security Manager: a public or a static one (Core
    /// Specification, Vol 3, Part H, 3.6.5); nil for any other packet.
    private static func identity(_ payload: [UInt8]) -> DeviceAddress? {
        var cursor = ByteCursor(payload)
        guard cursor.byte() == 0x09, let address = cursor.typedAddress(), cursor.remaining == 0, !address.isZero,
            !address.isRandom || (address.octets.first ?? 0) >> 6 == 3
        else { return nil }
        return address
    }

    // MARK: Meaning

    /// Keeps a request, and finds the request that an answer belongs to.
    ///
    /// Where the server that an answer comes from was not asked, and the other was, the recorded direction of one of
    /// the two packets is wrong, as sniffers guess them after a packet that they missed. Then the peripheral is taken
    /// for the server.
    mutating func pair(_ frame: Frame, time: Timestamp?) -> Frame {
        let client = frame.server.other
        if ATTPDU.isRequest(frame.opcode) {
            conversations[client.rawValue].ask(frame.pdu, opcode: frame.opcode, time: time)
            return frame
        }
        guard let opcode = frame.pdu.request(answeredBy: frame.opcode) else { return frame }
        var frame = frame
        for side in [client, client.other] {
            frame.request = conversations[side.rawValue].takeRequest(
                opcode, at: time, isOfOneClient: frame.isDirected)
            guard frame.request != nil else { continue }
            if side != client {
                frame.server = .peripheral
                frame.isCorrection = side == .peripheral
            }
            break
        }
        return frame
    }

    /// Learns from a packet about the server that it is about.
    mutating func learn(
        _ frame: Frame, _ database: inout ObservedDatabase, time: Timestamp?
    ) -> [ATTConversation.Access] {
        let client = frame.server.other.rawValue
        guard ATTPDU.sender(of: frame.opcode) == .server else {
            return conversations[client].fromClient(frame.pdu, &database, time: time)
        }
        if frame.isCorrection, let request = frame.request {
            _ = conversations[client].fromClient(request.pdu, &database, time: request.time)
        }
        return conversations[client].fromServer(
            frame.pdu, answering: frame.request?.pdu, &database, time: time, isEncrypted: isEncrypted)
    }

    /// The MTU that the server at an end names.
    func serverMTU(_ server: Side) -> Int? { conversations[server.other.rawValue].serverMTU }
}
