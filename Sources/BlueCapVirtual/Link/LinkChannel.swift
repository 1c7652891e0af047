// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// One end of a connection-oriented channel: cuts units into parts, joins parts, and keeps the credits of both
/// directions.
final class LinkChannel {
    /// The longest part in bytes: the 251 that a packet of the link layer carries, less the basic header.
    static let frameLength = 247
    /// How many parts the other side may send before it needs more credits.
    static let window = 8
    /// How many parts wait on the link before the next is cut.
    private static let linkCapacity = 4

    private struct Outgoing {
        let unit: Bytes
        var offset = 0
        /// Called with true when all of it is on the link, and with false when it cannot be any more.
        let finished: (Bool) -> Void
    }

    let source: UInt16
    let psm: UInt16
    let maximumUnitLength: Int
    /// The other side's terms; nil until the channel is open.
    private(set) var terms: ChannelTerms?
    private unowned let side: LinkChannels
    private var credits = 0
    private var outgoing = RingBuffer<Outgoing>()
    /// The unit that is being cut.
    private var current: Outgoing?
    private var partsOnLink = 0
    /// How many parts the other side may still send, and how many have been taken since it was last given credits.
    private var given = LinkChannel.window
    private var owed = 0
    /// The unit that is being joined.
    private var part: (bytes: [UInt8], length: Int)?
    /// The units that the owner does not want yet.
    private var held = RingBuffer<Bytes>()
    private var allowance = 0
    /// Whether the owner takes the units that are held when the other side closes the channel, before the end.
    var drains = false
    /// Whether the other side has closed the channel.
    private(set) var isOver = false
    /// Takes a whole unit, and the end of the channel; its error is nil where the other side closed it.
    var received: (Bytes) -> Void = { _ in }
    var ended: (ChannelError?) -> Void = { _ in }

    init(side: LinkChannels, source: UInt16, psm: UInt16, maximumUnitLength: Int) {
        self.side = side
        self.source = source
        self.psm = psm
        self.maximumUnitLength = maximumUnitLength
    }

    var link: VirtualLink { side.link }

    var ownTerms: ChannelTerms {
        ChannelTerms(
            source: source, maximumUnitLength: maximumUnitLength, maximumFrameLength: Self.frameLength,
            credits: Self.window)
    }

    func opened(_ terms: ChannelTerms) {
        self.terms = terms
        credits = terms.credits
    }

    // MARK: Sending

    /// Sends a unit after those before it; `finished` is called with true when its last part is on the link, with false
    /// when the other side closes the channel before, and not when the channel ends otherwise.
    func send(_ unit: Bytes, finished: @escaping (Bool) -> Void) {
        if isOver { return finished(false) }
        outgoing.append(Outgoing(unit: unit, finished: finished))
        pump()
    }

    private func pump() {
        guard let terms else { return }
        while credits > 0, partsOnLink < Self.linkCapacity, var next = current ?? outgoing.popFirst() {
            // The first part of a unit has its length before it.
            let isFirst = next.offset == 0
            let room = terms.maximumFrameLength - (isFirst ? 2 : 0)
            let bytes = next.unit.part(from: next.offset, room: room)
            next.offset += bytes.count
            credits -= 1
            partsOnLink += 1
            let length = isFirst ? next.unit.count : nil
            side.send(.frame(destination: terms.source, unitLength: length, bytes))
            current = next.offset < next.unit.count ? next : nil
            if current == nil { next.finished(true) }
        }
    }

    /// A part has left the link for the other side.
    func partDelivered() {
        partsOnLink -= 1
        pump()
    }

    func took(credits count: Int) {
        guard count > 0, credits + count <= 65_535 else { return side.fail(self, .peerExceededCredits) }
        credits += count
        pump()
    }

    /// Sends parts without a look at credits or lengths, as a peer does that breaks the rules.
    func sendRaw(unitLength: Int?, _ bytes: Bytes) {
        guard let terms else { return }
        partsOnLink += 1
        side.send(.frame(destination: terms.source, unitLength: unitLength, bytes))
    }

    // MARK: Receiving

    /// The owner takes this many more units.
    func allow(_ count: Int) {
        allowance += count
        while allowance > 0, let unit = held.popFirst() {
            allowance -= 1
            owe()
            received(unit)
        }
        if isOver, held.isEmpty { side.drained(self) }
    }

    /// The other side has closed the channel, which ends behind the units that are held for an owner that drains it.
    ///
    /// - Returns: Whether there are such units.
    func closedByOther() -> Bool {
        isOver = true
        let unsent = [current].compactMap { $0 } + (0..<outgoing.count).map { outgoing[$0] }
        (current, outgoing) = (nil, RingBuffer())
        for unit in unsent { unit.finished(false) }
        return drains && !held.isEmpty
    }

    func took(unitLength: Int?, _ bytes: Bytes) {
        guard given > 0 else { return side.fail(self, .peerExceededCredits) }
        given -= 1
        guard bytes.count + (unitLength == nil ? 0 : 2) <= Self.frameLength else {
            return side.fail(self, .peerExceededLength)
        }
        var unit = part ?? ([], unitLength ?? 0)
        // A first part needs the length, and none of the others has one.
        guard (part == nil) == (unitLength != nil), unit.length <= maximumUnitLength,
            unit.bytes.count + bytes.count <= unit.length
        else { return side.fail(self, .peerExceededLength) }
        unit.bytes += bytes
        part = unit.bytes.count < unit.length ? unit : nil
        // A unit that has begun has to end, so its parts are paid for at once.
        if part != nil { return owe() }
        if allowance > 0 {
            allowance -= 1
            owe()
            received(Bytes(unit.bytes))
        } else {
            held.append(Bytes(unit.bytes))
        }
    }

    /// Owes the other side a credit, and gives it those that are owed when they are many or it has none left.
    private func owe() {
        if isOver { return }
        owed += 1
        guard owed >= Self.window / 2 || given == 0 else { return }
        given += owed
        side.give(credits: owed, to: self)
        owed = 0
    }
}

/// A peer's answer to a request for a channel.
enum ChannelAnswer {
    case refuse(ChannelRefusal)
    /// Takes the channel, and is given it before the answer is sent.
    case accept(maximumUnitLength: Int, (LinkChannel) -> Void)
}
