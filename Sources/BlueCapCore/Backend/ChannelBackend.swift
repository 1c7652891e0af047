// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The part of a backend, of either role, that opens connection-oriented channels of L2CAP over its links.
///
/// A backend whose features lack ``CentralFeatures/channels`` or ``PeripheralFeatures/channels`` does nothing here, as
/// by default; the manager then never calls it. The contract of the others:
///
/// - Events come as those of ``CentralBackend`` do: synchronously on the executor, in the order of the radio, and never
///   from inside one of the methods below.
/// - Each request is answered by at most one ``ChannelEvent/reply(_:_:)``. The manager has one unit of one channel in
///   flight at most. A request that its caller gave up is answered as any other.
/// - A channel ends by one ``ChannelEvent/closed(_:_:)``, unless the manager closes it or its link or the radio ends:
///   then nothing follows. The units that came before the peer's close come before the event, as they are allowed.
/// - A backend delivers as many units of a channel as the manager allows. It holds the others back, and with them the
///   credits of the peer.
public protocol ChannelBackend: RadioActor {
    /// Gives the backend the function that takes the events of channels. Called once, before the backend is activated.
    func activateChannels(_ sink: ChannelEventSink)

    /// Begins an operation, which is answered by `ChannelEvent.reply`. Called only while powered on.
    func performOnChannels(_ request: ChannelRequest)

    /// Takes a command that has no answer. One for a channel or a PSM that is gone is ignored.
    func command(_ command: ChannelCommand)
}

extension ChannelBackend {
    /// Does nothing: the platform has no channels.
    public func activateChannels(_ sink: ChannelEventSink) {}

    /// Does nothing: the platform has no channels.
    public func performOnChannels(_ request: ChannelRequest) {}

    /// Does nothing: the platform has no channels.
    public func command(_ command: ChannelCommand) {}
}

/// Names one open channel of a backend; never used for another.
public struct ChannelID: RawRepresentable, Sendable, Hashable {
    /// The number, given out by the backend.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The operations on channels that a backend can be asked for, and the ``ChannelReply`` that answers each.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum ChannelOperation: Sendable, Hashable {
    /// Opens a channel to a PSM of a peripheral that is connected. Fails with
    /// ``ChannelRefusal/insufficientEncryption`` where it is to be encrypted and the link is not. Answered by
    /// `.opened`.
    case open(PeerIdentifier, psm: UInt16, isEncrypted: Bool, maximumReceiveLength: Int)
    /// Takes channels of centrals on a PSM, nil for one that the platform chooses. Answered by `.published`.
    case publish(psm: UInt16?, isEncrypted: Bool, maximumReceiveLength: Int)
    /// Sends a unit, which is neither empty nor longer than the peer takes. Answered by `.done` when the peer's
    /// credits have let all of it go out.
    indirect case send(ChannelID, Bytes)
}

/// The answer to a ``ChannelOperation``.
public enum ChannelReply: Sendable, Hashable {
    /// The channel is open.
    case opened(OpenedChannel)
    /// Channels are taken on this PSM.
    case published(psm: UInt16)
    /// The unit went out.
    case done
}

/// A command about channels that has no answer.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum ChannelCommand: Sendable, Hashable {
    /// The manager takes this many more units of the channel; it takes none before the first such command.
    case allow(ChannelID, count: Int)
    /// Closes the channel. Units that have not gone out are dropped.
    case close(ChannelID)
    /// Takes no more channels on a PSM. Those that are open stay.
    case withdraw(psm: UInt16)
}

/// One operation on channels that a manager asks of its backend.
public struct ChannelRequest: Sendable {
    /// The name under which the answer comes, apart from those of other requests.
    public let id: RequestID
    /// The operation to carry out.
    public let operation: ChannelOperation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - id: The name that the backend's reply carries; never used for another request of the manager's channels.
    ///   - operation: The operation to carry out.
    public init(id: RequestID, operation: ChannelOperation) {
        self.id = id
        self.operation = operation
    }
}

/// A channel as it is opened.
public struct OpenedChannel: Sendable, Hashable {
    /// The name of the channel.
    public let id: ChannelID
    /// The device at the other end.
    public let peer: PeerIdentifier
    /// The PSM to which the channel was opened.
    public let psm: UInt16
    /// The maximum number of bytes of a unit to the peer.
    public let maximumSendLength: Int
    /// The maximum number of bytes of a unit from the peer.
    public let maximumReceiveLength: Int

    /// Creates the facts of a channel.
    ///
    /// - Parameters:
    ///   - id: The name of the channel; never used for another.
    ///   - peer: The device at the other end, by the name that its link has for the manager.
    ///   - psm: The PSM to which the channel was opened.
    ///   - maximumSendLength: The maximum number of bytes of a unit to the peer, its MTU.
    ///   - maximumReceiveLength: The maximum number of bytes of a unit from the peer, the own MTU.
    public init(id: ChannelID, peer: PeerIdentifier, psm: UInt16, maximumSendLength: Int, maximumReceiveLength: Int) {
        self.id = id
        self.peer = peer
        self.psm = psm
        self.maximumSendLength = maximumSendLength
        self.maximumReceiveLength = maximumReceiveLength
    }
}

/// An event of channels that a backend reports to its manager.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum ChannelEvent: Sendable {
    /// A central opened a channel to a published PSM.
    indirect case accepted(OpenedChannel)
    /// A unit arrived whole; over a stream, some bytes, as many as were read at a time.
    case received(ChannelID, Bytes)
    /// The channel ended; nil where the peer closed it.
    case closed(ChannelID, ChannelError?)
    /// The answer to a request.
    case reply(RequestID, Result<ChannelReply, ChannelError>)
}

/// Takes the events of a backend's channels, synchronously on its executor, in order.
public struct ChannelEventSink: Sendable {
    private let receive: @Sendable (ChannelEvent) -> Void

    /// A sink that hands each event to `receive`.
    public init(_ receive: @escaping @Sendable (ChannelEvent) -> Void) { self.receive = receive }

    /// Hands over the next event. Call it on the backend's executor only.
    public func callAsFunction(_ event: ChannelEvent) { receive(event) }
}
