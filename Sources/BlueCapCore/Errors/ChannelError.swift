// SPDX-License-Identifier: MIT

/// An error of a connection-oriented channel, in either role.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum ChannelError: BlueCapError, Hashable {
    /// The platform has no channels, or this backend does not offer them; nothing was sent.
    case channelsNotSupported
    /// The PSM is not one of an LE channel; nothing was sent.
    case psmOutOfRange(UInt16)
    /// The PSM is published already on this adapter.
    case psmTaken(UInt16)
    /// A unit of no bytes is not sent, because it looks like the end of the channel on some platforms.
    case emptyUnit
    /// The unit is longer than the peer takes; nothing was sent.
    case unitTooLong(count: Int, maximum: Int)
    /// The link has 64 channels, which is the maximum; nothing was sent.
    case tooManyChannels
    /// The peer refused to open the channel; nil where the platform does not tell the peer's result code, as BlueZ.
    case refused(ChannelRefusal?)
    /// The channel was not open within the time given; it is closed as soon as it opens.
    case openTimeout
    /// The PSM was not published within the time given.
    case publishTimeout
    /// The channel was closed, by this side or by the peer.
    case closed
    /// The peer sent more packets than it had credits for, and the channel was closed.
    case peerExceededCredits
    /// The peer sent a longer packet or unit than it had agreed to, and the channel was closed.
    case peerExceededLength
    /// The channel was closed in the middle of a read of ``ChannelStream``: so many bytes of it came, and the next
    /// ``ChannelStream/read(atMost:)`` returns them.
    case endedEarly(count: Int)
    /// The delimiter of a read of ``ChannelStream`` is not among so many bytes, which are there for the next read.
    case noDelimiter(maximum: Int)
    /// The link had to be encrypted first, and the two devices did not pair.
    case pairingFailed(PairingFailure)
    /// The link was lost, or there is none.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager was released or invalidated.
    case invalidated
    /// The caller's task was cancelled.
    case cancelled
    /// The platform failed or refused; the failure holds the platform's name and text for it.
    case backend(BackendFailure)

    public var explanation: ErrorExplanation {
        switch self {
        case .channelsNotSupported:
            ErrorExplanation(
                .unsupported, "this backend offers no connection-oriented channels (L2CAP)",
                advice: "use notifications and writes, or a backend with the feature channels")
        case .psmOutOfRange(let psm):
            ErrorExplanation(
                .misuse, "\(psm) is no PSM of an LE channel",
                advice: "open 1 through 255, and publish 128 through 255, or nil for any")
        case .psmTaken(let psm):
            ErrorExplanation(.misuse, "the PSM \(psm) is published already", advice: "publish another one, or nil")
        case .emptyUnit: ErrorExplanation(.misuse, "a unit of no bytes is not sent")
        case .unitTooLong(let count, let maximum): .valueTooLong(count, maximum: maximum)
        case .tooManyChannels:
            ErrorExplanation(.misuse, "the link has 64 channels, and takes no more", advice: "close one of them first")
        case .refused(nil):
            ErrorExplanation(
                .refused, "the peer refused the channel", advice: "look whether the peer takes channels on the PSM")
        case .refused(let refusal?): ErrorExplanation(.refused, "the peer refused the channel: \(refusal)")
        case .openTimeout:
            ErrorExplanation(.timeout, "the channel was not open within the time given", advice: "open it again")
        case .publishTimeout:
            ErrorExplanation(.timeout, "the PSM was not published within the time given", advice: "publish it again")
        case .closed: ErrorExplanation(.misuse, "the channel is closed", advice: "open another one")
        case .peerExceededCredits:
            ErrorExplanation(.refused, "the peer sent packets without a credit, so the channel was closed")
        case .peerExceededLength:
            ErrorExplanation(.refused, "the peer sent more bytes than it had agreed to, so the channel was closed")
        case .endedEarly(let count):
            ErrorExplanation(.refused, "the channel was closed within a read, after \(count) bytes of it")
        case .noDelimiter(let maximum):
            ErrorExplanation(.refused, "the first \(maximum) bytes have no delimiter among them")
        case .pairingFailed(let failure): .pairing(failure)
        case .disconnected:
            ErrorExplanation(
                .disconnected, "the link of the channel was lost, or there is none",
                advice: "connect, and open a channel again")
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .cancelled: .cancelled
        case .backend(let failure): .backend(failure)
        }
    }

    /// The error of a channel for the failure of its link or of a pairing.
    init(_ failure: OperationFailure) {
        switch failure {
        case .disconnected: self = .disconnected
        case .poweredOff: self = .poweredOff
        case .pairing(let failure): self = .pairingFailed(failure)
        case .backend(let failure): self = .backend(failure)
        case .att, .unsupported, .rssiUnavailable, .valueTooLong, .advertisingOption: self = .channelsNotSupported
        }
    }
}
