// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The connection-oriented channels of one link, as far as they are open or asked for.
struct ChannelConversation: Sendable {
    typealias Side = LinkTrace.Side

    /// A frame of signalling, or one to an end of a channel.
    struct Frame {
        /// Nil where the file does not record who sent it.
        var sender: Side?
        var channel: UInt16
        var payload: [UInt8]
    }

    /// Something that a frame tells about a channel.
    struct Event {
        enum Kind {
            case asked(psm: UInt16, ChannelSignal.Terms)
            case accepted(ChannelSignal.Terms)
            /// A frame of the device or the peer, and the unit that it completes.
            case frame(isFromDevice: Bool, unit: Bytes?)
            case credits(isFromDevice: Bool, Int)
            case ended(CapturedChannel.Outcome)
            case malformed
        }

        /// A number that no other channel of the capture has.
        var channel: Int
        /// The side that was asked for the channel.
        var device: Side
        var kind: Kind
    }

    /// One direction of a channel, by the side that receives.
    fileprivate struct Direction: Sendable {
        var terms: ChannelSignal.Terms
        var credits: Int
        /// The unit that is being joined.
        var part: (bytes: [UInt8], length: Int)?
        /// Whether a length was wrong, so that the next unit's beginning is not known.
        var isLost = false

        init(_ terms: ChannelSignal.Terms) {
            self.terms = terms
            credits = Int(terms.credits)
        }
    }

    private struct Open: Sendable {
        var number: Int
        var device: Side
        /// By the side that receives.
        var directions: [Direction]
        var isClosing = false
    }

    private struct Asked: Sendable {
        var number: Int
        var terms: ChannelSignal.Terms
    }

    private struct Key: Hashable {
        var side: Side
        var number: UInt16
    }

    /// The numbers of ends on LE links (Core Specification, Vol 3, Part A, 2.1, table 2.2).
    private static let numbers: ClosedRange<UInt16> = 0x40...0x7F

    /// By the number in the capture.
    private var open: [Int: Open] = [:]
    private var ends: [Key: Int] = [:]
    /// The requests without an answer, by the asking side and the identifier.
    private var asked: [Key: Asked] = [:]
    private(set) var counts = CapturedChannelCounts()

    /// The channels that are open, in the order of their requests, with the sides that were asked for them.
    var unended: [Event] {
        open.values.filter { !$0.isClosing }.sorted { $0.number < $1.number }.map {
            Event(channel: $0.number, device: $0.device, kind: .ended(.linkEnded))
        }
    }

    /// Whether a frame may tell something about a channel that is known.
    func knows(_ frame: Frame) -> Bool {
        frame.channel == L2CAPReassembler.signalingChannel
            || Side.these(frame.sender?.other).contains { ends[Key(side: $0, number: frame.channel)] != nil }
    }

    /// Takes a frame.
    ///
    /// - Parameter next: The number of the next channel of the capture.
    mutating func take(_ frame: Frame, next: inout Int) -> [Event] {
        if frame.channel != L2CAPReassembler.signalingChannel { return data(frame) }
        guard let (identifier, signal) = ChannelSignal.read(frame.payload) else {
            counts.malformed += 1
            return []
        }
        switch signal {
        case .request(let psm, let terms):
            let sender = frame.sender ?? .central
            next += 1
            asked[Key(side: sender, number: UInt16(identifier))] = Asked(number: next, terms: terms)
            return [Event(channel: next, device: sender.other, kind: .asked(psm: psm, terms))]
        case .response(let terms, let result): return answered(identifier, terms, result, by: frame.sender)
        case .credits(let number, let count): return credits(Int(count), for: number, by: frame.sender)
        case .disconnect(let destination, let source):
            guard let (number, sender) = closing(destination, source, by: frame.sender) else { return [] }
            guard let device = open[number]?.device, open[number]?.isClosing == false else { return [] }
            open[number]?.isClosing = true
            let outcome: CapturedChannel.Outcome = sender == device ? .closedByDevice : .closedByPeer
            return [Event(channel: number, device: device, kind: .ended(outcome))]
        case .disconnected(let destination, let source):
            // The numbers are those of the request, whose sender takes this answer.
            guard let (number, _) = closing(destination, source, by: frame.sender?.other) else { return [] }
            forget(number)
            return []
        case .reject:
            for side in Side.these(frame.sender?.other) {
                asked[Key(side: side, number: UInt16(identifier))] = nil
            }
            return []
        case .enhanced:
            counts.enhanced += 1
            return []
        case .other: return []
        }
    }

    // MARK: Opening and closing

    private mutating func answered(
        _ identifier: UInt8, _ terms: ChannelSignal.Terms, _ result: UInt16, by sender: Side?
    ) -> [Event] {
        let keys = Side.these(sender?.other).map { Key(side: $0, number: UInt16(identifier)) }
        guard let key = keys.first(where: { asked[$0] != nil }), let request = asked.removeValue(forKey: key) else {
            counts.unexplained += 1
            return []
        }
        let device = key.side.other
        func event(_ kind: Event.Kind) -> Event { Event(channel: request.number, device: device, kind: kind) }
        if result != 0 { return [event(.ended(.refused(ChannelRefusal(rawValue: result))))] }
        guard Self.numbers.contains(terms.number), Self.numbers.contains(request.terms.number) else {
            counts.malformed += 1
            return [event(.malformed)]
        }
        let made = [Key(side: key.side, number: request.terms.number), Key(side: device, number: terms.number)]
        // An end that is used again was closed by packets that were not captured.
        for end in made { if let old = ends[end] { forget(old) } }
        for end in made { ends[end] = request.number }
        let central = key.side == .central ? request.terms : terms
        let peripheral = key.side == .central ? terms : request.terms
        open[request.number] = Open(
            number: request.number, device: device, directions: [Direction(central), Direction(peripheral)])
        return [event(.accepted(terms))]
    }

    private mutating func forget(_ number: Int) {
        guard let old = open.removeValue(forKey: number) else { return }
        for side in Side.allCases {
            let key = Key(side: side, number: old.directions[side.rawValue].terms.number)
            if ends[key] == number { ends[key] = nil }
        }
    }

    /// The channel with two ends, and the side of the second.
    private mutating func closing(_ other: UInt16, _ own: UInt16, by sender: Side?) -> (number: Int, sender: Side)? {
        for side in Side.these(sender) {
            if let number = ends[Key(side: side, number: own)], ends[Key(side: side.other, number: other)] == number {
                return (number, side)
            }
        }
        counts.unexplained += 1
        return nil
    }

    // MARK: Units

    private mutating func credits(_ count: Int, for number: UInt16, by sender: Side?) -> [Event] {
        guard let (channel, side) = end(number, of: sender), let device = open[channel]?.device else { return [] }
        func event(_ kind: Event.Kind) -> Event { Event(channel: channel, device: device, kind: kind) }
        // Those credits are for frames to the end that gives them.
        let total = (open[channel]?.directions[side.rawValue].credits ?? 0) + count
        guard count > 0, total <= 65_535 else { return [event(.malformed)] }
        open[channel]?.directions[side.rawValue].credits = total
        return [event(.credits(isFromDevice: side == device, count))]
    }

    /// The channel that has an end, and the end's side: the given one, or the only one with such an end.
    private mutating func end(_ number: UInt16, of side: Side?) -> (channel: Int, side: Side)? {
        let found = Side.these(side).filter { ends[Key(side: $0, number: number)] != nil }
        guard let only = found.first, found.count == 1, let channel = ends[Key(side: only, number: number)] else {
            counts.unexplained += 1
            return nil
        }
        return (channel, only)
    }

    private mutating func data(_ frame: Frame) -> [Event] {
        guard let (channel, receiver) = end(frame.channel, of: frame.sender?.other),
            let device = open[channel]?.device, var direction = open[channel]?.directions[receiver.rawValue]
        else { return [] }
        // The bytes that were joined have to be in one place, or they are copied with each frame.
        open[channel]?.directions[receiver.rawValue].part = nil
        let (unit, faults) = direction.take(frame.payload)
        open[channel]?.directions[receiver.rawValue] = direction
        func event(_ kind: Event.Kind) -> Event { Event(channel: channel, device: device, kind: kind) }
        return [event(.frame(isFromDevice: receiver != device, unit: unit))]
            + Array(repeating: event(.malformed), count: faults)
    }
}

extension ChannelConversation.Direction {
    /// Takes a frame.
    ///
    /// - Returns: The unit that it completes, and how many rules it breaks.
    fileprivate mutating func take(_ payload: [UInt8]) -> (unit: Bytes?, faults: Int) {
        let faults = credits > 0 ? 0 : 1
        credits = max(credits - 1, 0)
        if isLost { return (nil, faults) }
        guard let unit = begun(payload), payload.count <= terms.maximumFrameLength,
            unit.length <= terms.maximumUnitLength, unit.bytes.count <= unit.length
        else {
            (isLost, part) = (true, nil)
            return (nil, faults + 1)
        }
        if unit.bytes.count == unit.length {
            part = nil
            return (Bytes(unit.bytes), faults)
        }
        part = unit
        return (nil, faults)
    }

    /// The unit with one more frame, whose length the first one has; nil where that is missing.
    private mutating func begun(_ payload: [UInt8]) -> (bytes: [UInt8], length: Int)? {
        if var unit = part {
            part = nil
            unit.bytes += payload
            return unit
        }
        var cursor = ByteCursor(payload)
        guard let length = cursor.little(UInt16.self) else { return nil }
        return (Array(cursor.takeRest()), Int(length))
    }
}

extension LinkTrace.Side {
    /// The only side that it can be; both where it is not known.
    fileprivate static func these(_ side: LinkTrace.Side?) -> [LinkTrace.Side] { side.map { [$0] } ?? allCases }
}
