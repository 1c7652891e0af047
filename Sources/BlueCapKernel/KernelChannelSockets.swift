// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop
import BlueCapPlatform
import CBlueCapLinux

/// The kernel's sockets of connection-oriented channels, which need no capability. In a network namespace of its own a
/// process has none (`EAFNOSUPPORT`).
package struct KernelChannelSockets: ChannelSockets {
    /// How many channels of peers wait until the program takes them.
    private static let backlog: Int32 = 16
    /// The level at which the kernel encrypts the link.
    private static let encrypted: UInt8 = 2

    package init() {}

    package func connect(_ terms: ChannelTerms, to peer: KernelAddress) throws(LoopError) -> FileDescriptor {
        let descriptor = try open()
        try bindAnywhere(descriptor.rawValue, terms.local)
        try configure(descriptor.rawValue, terms)
        let status = unsafe peer.withOctets {
            unsafe bluecap_channel_connect(descriptor.rawValue, $0, terms.psm)
        }
        guard status == 0 || status == -EINPROGRESS else { throw LoopError(call: "connect", errno: -status) }
        return descriptor
    }

    package func listen(_ terms: ChannelTerms) throws(LoopError) -> FileDescriptor {
        let descriptor = try open()
        try check(bind(descriptor.rawValue, terms.local, terms.psm), "bind")
        try configure(descriptor.rawValue, terms)
        try check(bluecap_channel_listen(descriptor.rawValue, Self.backlog), "listen")
        return descriptor
    }

    package func psm(of listener: Int32) throws(LoopError) -> UInt16 { try name(of: listener, isPeer: false).psm }

    package func accept(from listener: Int32) throws(LoopError) -> FileDescriptor {
        let status = bluecap_channel_accept(listener)
        try check(status, "accept")
        return FileDescriptor(owning: status)
    }

    package func peer(of channel: Int32) throws(LoopError) -> KernelAddress {
        try name(of: channel, isPeer: true).address
    }

    package func failure(of channel: Int32) -> Int32 { bluecap_socket_error(channel) }

    package func lengths(of channel: Int32) throws(LoopError) -> ChannelLengths {
        var (sent, received) = (UInt16(0), UInt16(0))
        try check(unsafe bluecap_channel_lengths(channel, &sent, &received), "getsockopt")
        return ChannelLengths(sent: Int(sent), received: Int(received))
    }

    private func open() throws(LoopError) -> FileDescriptor {
        let status = bluecap_channel_socket()
        try check(status, "socket")
        return FileDescriptor(owning: status)
    }

    private func bind(_ descriptor: Int32, _ address: KernelAddress, _ psm: UInt16) -> Int32 {
        unsafe address.withOctets { unsafe bluecap_channel_bind(descriptor, $0, psm) }
    }

    /// Binds a socket that connects. The kernel gives it a PSM of its own, on which no other program takes
    /// channels meanwhile: by itself the first that is free, so it is the last here.
    private func bindAnywhere(_ descriptor: Int32, _ address: KernelAddress) throws(LoopError) {
        var status: Int32 = 0
        for psm in stride(from: UInt16(0xFF), through: 0x80, by: -1) {
            status = bind(descriptor, address, psm)
            if status != -EADDRINUSE { break }
        }
        try check(status, "bind")
    }

    private func configure(_ descriptor: Int32, _ terms: ChannelTerms) throws(LoopError) {
        if terms.isEncrypted { try check(bluecap_channel_secure(descriptor, Self.encrypted), "setsockopt") }
        try check(bluecap_channel_receive_length(descriptor, terms.receiveLength), "setsockopt")
    }

    private func name(
        of socket: Int32, isPeer: Bool
    ) throws(LoopError) -> (address: KernelAddress, psm: UInt16) {
        var octets = [UInt8](repeating: 0, count: KernelAddress.octetCount)
        var psm: UInt16 = 0
        let status = unsafe octets.withUnsafeMutableBufferPointer { octets in
            unsafe bluecap_channel_name(socket, isPeer, octets.baseAddress, &psm)
        }
        try check(status, isPeer ? "getpeername" : "getsockname")
        guard let address = KernelAddress(octets: octets) else {
            throw LoopError(call: "getpeername", errno: EAFNOSUPPORT)
        }
        return (address, psm)
    }

    private func check(_ status: Int32, _ call: String) throws(LoopError) {
        guard status >= 0 else { throw LoopError(call: call, errno: -status) }
    }
}
#endif
