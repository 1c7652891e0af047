// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop

/// The end of a channel on this machine.
package struct ChannelTerms: Sendable, Equatable {
    /// The adapter's address.
    package let local: KernelAddress
    /// The PSM; 0 for one that the kernel chooses, where channels are taken.
    package let psm: UInt16
    /// Whether the link has to be encrypted. The kernel encrypts it, with the keys that it has or by a pairing of its
    /// own, which hangs when it is refused.
    package let isEncrypted: Bool
    /// The longest unit that is received.
    package let receiveLength: UInt16

    package init(local: KernelAddress, psm: UInt16, isEncrypted: Bool, receiveLength: UInt16) {
        (self.local, self.psm, self.isEncrypted, self.receiveLength) = (local, psm, isEncrypted, receiveLength)
    }
}

/// The longest units of a channel.
package struct ChannelLengths: Sendable, Equatable {
    /// That the peer takes.
    package let sent: Int
    /// That is received.
    package let received: Int

    package init(sent: Int, received: Int) { (self.sent, self.received) = (sent, received) }
}

/// Opens sockets of connection-oriented channels: the kernel's, or those of a stand-in. Sockets go by their
/// descriptors, which do not wait.
package protocol ChannelSockets: Sendable {
    /// Begins to connect to a PSM of a peer; the socket can be written to when that has ended.
    func connect(_ terms: ChannelTerms, to peer: KernelAddress) throws(LoopError) -> FileDescriptor

    /// Takes channels on a PSM of this machine; the socket can be read when there is one.
    func listen(_ terms: ChannelTerms) throws(LoopError) -> FileDescriptor

    /// The PSM of a socket that takes channels.
    func psm(of listener: Int32) throws(LoopError) -> UInt16

    /// The next channel that a peer has opened; throws `EAGAIN` where there is none.
    func accept(from listener: Int32) throws(LoopError) -> FileDescriptor

    /// The device at the other end.
    func peer(of channel: Int32) throws(LoopError) -> KernelAddress

    /// Why a channel has failed, which is given once; 0 for one that has not.
    func failure(of channel: Int32) -> Int32

    /// The longest units; throws for a channel that is not open.
    func lengths(of channel: Int32) throws(LoopError) -> ChannelLengths
}

/// Where channels are opened: the loop that waits for them, and what they share there.
package struct ChannelPlace {
    let loop: EventLoop
    package let sockets: any ChannelSockets
    let buffer = ChannelBuffer()

    package init(loop: EventLoop, sockets: any ChannelSockets) { (self.loop, self.sockets) = (loop, sockets) }
}
#endif
