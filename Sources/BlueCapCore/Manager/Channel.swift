// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A connection-oriented channel of L2CAP to another device: whole units of bytes in both directions, each in order and
/// none lost, beside the attributes and at the speed of the link (Core Specification, Vol 3, Part A, 10.1).
///
/// ```swift
/// let channel = try await peripheral.openChannel(psm: 0x80, timeout: .seconds(5))
/// try await channel.send([1, 2, 3])
/// for try await unit in channel { print(unit) }
/// ```
///
/// A central opens it by ``Peripheral/openChannel(psm:encrypted:maximumReceiveLength:timeout:)``, and a peripheral
/// takes it from ``PeripheralManager/publishChannel(psm:encrypted:maximumReceiveLength:timeout:)``.
///
/// The sequence has the units from the peer, for one consumer. A peer that sends faster than they are taken runs out of
/// credits and waits; nothing is dropped. The sequence ends after the units that are here: quietly when either side
/// closed the channel; with an error, once, when the link or the radio was lost, the manager ended, or the peer broke
/// the rules of the channel. For a cancelled task it ends at once. Leaving a loop does not close the channel; another
/// loop goes on.
///
/// The virtual radio and BlueZ keep the bounds of units. CoreBluetooth has streams of bytes: there a unit that comes
/// may be a part of one that was sent, or several, with each byte in order, in both directions. The bytes themselves
/// have to say then where a message ends.
///
/// The channel ends with ``close()``, with its link, and when it is released: hold on to it. On Linux a broken rule is
/// `.backend` of the name `Channel.Reset`, as the kernel does not say which; two seconds pass before the channel ends
/// with it, in case the link has ended.
public final class Channel: AsyncSequence, Sendable {
    /// The element of the sequence: one unit, as the peer sent it.
    public typealias Element = Bytes
    /// The error that ends the sequence.
    public typealias Failure = ChannelError

    /// The PSM to which the channel was opened.
    public let psm: UInt16
    /// The maximum number of bytes of a unit that the peer takes.
    public let maximumSendLength: Int
    /// The maximum number of bytes of a unit that the peer may send.
    public let maximumReceiveLength: Int
    private let box: ChannelBox
    private weak let keeper: (any ChannelKeeper)?

    init(_ facts: OpenedChannel, _ box: ChannelBox, keeper: any ChannelKeeper) {
        psm = facts.psm
        maximumSendLength = facts.maximumSendLength
        maximumReceiveLength = facts.maximumReceiveLength
        self.box = box
        self.keeper = keeper
    }

    deinit {
        close()
        let count = box.units.close()
        if count > 0 { keeper?.channelUnitsDropped(count) }
    }

    /// The present identifier of the device at the other end; that of a central changes where the platform learns its
    /// address (``CentralLinkEvent/previousIdentifier``).
    public var peer: PeerIdentifier { box.peer }

    /// A Boolean value that is true until the channel ends.
    public var isOpen: Bool { box.isOpen }

    /// The present counts of the channel.
    public var statistics: ChannelStatistics { box.statistics }

    /// Sends a unit, after those of earlier calls, and returns when the peer's credits have let all of it go out. That
    /// the peer has taken it, only an answer of its own can tell.
    ///
    /// There is no timeout: a peer that gives no credits holds the call until the channel ends or the task is
    /// cancelled. The unit of a cancelled call still goes out if its turn had come. On Linux the kernel holds a few
    /// units without credits, and the call returns when it has the unit.
    ///
    /// - Parameter unit: 1 through ``maximumSendLength`` bytes.
    /// - Throws: `.emptyUnit` and `.unitTooLong` before anything is sent; `.closed`, `.disconnected`, `.poweredOff`,
    ///   `.invalidated`, `.cancelled`, `.peerExceededCredits`, `.peerExceededLength`, `.backend`.
    public func send(_ unit: Bytes) async throws(ChannelError) {
        if unit.isEmpty { throw .emptyUnit }
        if unit.count > maximumSendLength { throw .unitTooLong(count: unit.count, maximum: maximumSendLength) }
        if let end = box.end { throw end.error ?? .closed }
        guard let keeper else { throw .invalidated }
        try await keeper.send(unit, over: box).get()
    }

    /// Closes the channel, at once and for good: calls of ``send(_:)`` that wait throw `.closed`, and units that have
    /// not gone out are dropped. Units that have arrived can still be taken. A second call does nothing.
    public func close() {
        guard box.finish(nil) else { return }
        keeper?.channelClosed(box)
    }

    /// Returns an iterator over the units from the peer that were not taken yet.
    public func makeAsyncIterator() -> Iterator { Iterator(channel: self) }

    /// The iterator of the units.
    public struct Iterator: AsyncIteratorProtocol {
        let channel: Channel

        /// Returns the next unit; nil at the end, and for a cancelled task.
        public mutating func next() async throws(ChannelError) -> Bytes? { try await channel.next() }

        /// Returns the next unit; nil at the end, and for a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ChannelError) -> Bytes? {
            try await channel.next()
        }
    }

    nonisolated(nonsending) private func next() async throws(ChannelError) -> Bytes? {
        guard let unit = try await box.units.next() else { return nil }
        let count = box.unitTaken()
        if count > 0 { keeper?.channelUnitsTaken(box, count) }
        return unit
    }
}

@available(*, unavailable)
extension Channel.Iterator: Sendable {}
