// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapPlatform

// The errors of a channel for those of the kernel's sockets.
extension ChannelError {
    /// The error for one of a channel that is to be opened.
    init(opening error: LoopError) {
        switch error.errno {
        case EAFNOSUPPORT, EPROTONOSUPPORT: self = .backend(Self.noBluetooth)
        case ECONNREFUSED, EACCES, ECONNRESET, ECONNABORTED, ETIMEDOUT, ENOTCONN, EHOSTUNREACH, ENETDOWN, ENODEV:
            self.init(opening: error.errno)
        default: self = .backend(Self.failure(error.call, error.errno))
        }
    }

    /// The error for the end of a channel that opens. The kernel tells no result code of a peer that refuses.
    init(opening code: Int32) {
        switch code {
        case ECONNREFUSED: self = .refused(nil)
        case EACCES: self = .refused(.insufficientEncryption)
        case ECONNRESET, ECONNABORTED, ETIMEDOUT, ENOTCONN, EHOSTUNREACH, ENETDOWN, ENODEV: self = .disconnected
        default: self = .backend(Self.failure("connect", code))
        }
    }

    /// The error for one of a PSM that is to be published.
    init(publishing psm: UInt16?, _ error: LoopError) {
        switch (error.errno, psm) {
        case (EADDRINUSE, let psm?): self = .psmTaken(psm)
        // The kernel has found none that is free.
        case (EADDRINUSE, nil), (EINVAL, nil): self = .psmTaken(0xFF)
        case (EAFNOSUPPORT, _), (EPROTONOSUPPORT, _): self = .backend(Self.noBluetooth)
        default: self = .backend(Self.failure(error.call, error.errno))
        }
    }

    /// The error for one of a unit.
    init(sending code: Int32) {
        switch code {
        case ECONNRESET, ENOTCONN, EPIPE: self = .closed
        default: self.init(ending: code)
        }
    }

    /// The error for the end of a channel that was open.
    init(ending code: Int32) {
        switch code {
        case ETIMEDOUT, ECONNABORTED, EPIPE, EHOSTUNREACH, ENETDOWN, ENODEV: self = .disconnected
        // The kernel forgets the former once the peer has answered to the end, and hangs up without an error.
        case ECONNRESET, ENOTCONN: self = .backend(Self.reset)
        case EMSGSIZE: self = .peerExceededLength
        default: self = .backend(Self.failure("recvmmsg", code))
        }
    }

    /// Whether the end of a socket may be that of its link.
    static func mayBeOfLink(_ code: Int32) -> Bool { ![ECONNREFUSED, EACCES, EMSGSIZE].contains(code) }

    private static let noBluetooth = BackendFailure(
        name: "Channel.NoBluetooth", message: "there are no Bluetooth sockets here",
        advice: "a container needs the network of its host")

    private static let reset = BackendFailure(
        name: "Channel.Reset", message: "the kernel closed the channel, as the peer broke a rule of it")

    private static func failure(_ call: String, _ code: Int32) -> BackendFailure {
        BackendFailure(name: "Channel.System", message: "\(call) failed with errno \(code)")
    }
}
#endif
