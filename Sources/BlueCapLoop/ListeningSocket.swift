// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform

/// A socket that takes connections on an address of this machine, without waiting.
package final class ListeningSocket {
    /// How many connections wait until the program takes them.
    private static let backlog: Int32 = 16
    /// How long to wait where the system has no room for another connection.
    private static let pause: Duration = .seconds(1)

    /// The port that was chosen.
    package let port: UInt16
    private let descriptor: FileDescriptor
    private var watch: WatchID?
    private var isClosed = false

    /// - Parameters:
    ///   - host: An address of IPv4 or IPv6, and no name. `::` is all addresses, those of IPv4 too.
    ///   - port: 0 for any port that is free.
    /// - Throws: The reason why the address is not to be had.
    package init(host: String, port: UInt16) throws(LoopError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = unsafe list else {
            throw LoopError(call: "getaddrinfo", errno: EADDRNOTAVAIL)
        }
        defer { unsafe freeaddrinfo(first) }
        let (family, length) = unsafe (first.pointee.ai_family, first.pointee.ai_addrlen)
        let types = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | Int32($1.rawValue) }
        let number = socket(family, types, 0)
        guard number >= 0 else { throw LoopError(call: "socket", errno: errno) }
        let descriptor = FileDescriptor(owning: number)
        // Connections of an earlier run that end slowly do not hold the port.
        var isOn: Int32 = 1
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(number, first.pointee.ai_addr, length) == 0, listen(number, Self.backlog) == 0 else {
            throw LoopError(call: "bind", errno: errno)
        }
        // Both families have the port in the same place.
        var name = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = unsafe withUnsafeMutablePointer(to: &name) { name in
            unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(number, $0, &size) }
        }
        guard status == 0 else { throw LoopError(call: "getsockname", errno: errno) }
        self.port = UInt16(bigEndian: name.sin6_port)
        self.descriptor = descriptor
    }

    /// Calls `take` with each connection, which does not wait either, until ``close(on:)``. Loop only.
    package func open(on loop: EventLoop, _ take: @escaping (consuming FileDescriptor) -> Void) {
        if isClosed { return }
        watch = try? loop.watch(descriptor.rawValue, .read) { [weak self, weak loop] _ in
            if let loop { self?.accept(on: loop, take) }
        }
    }

    /// Takes no connection from now on. Loop only.
    package func close(on loop: EventLoop) {
        isClosed = true
        pause(on: loop)
    }

    private func accept(on loop: EventLoop, _ take: @escaping (consuming FileDescriptor) -> Void) {
        let number = systemAccept(descriptor.rawValue)
        guard number >= 0 else {
            // A client that has gone again. Anything else would be reported again at once.
            if [EAGAIN, EINTR, ECONNABORTED].contains(errno) { return }
            pause(on: loop)
            loop.after(Self.pause) { [weak self, weak loop] in if let loop { self?.open(on: loop, take) } }
            return
        }
        let connection = FileDescriptor(owning: number)
        guard fcntl(number, F_SETFL, O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { return }
        take(connection)
    }

    private func pause(on loop: EventLoop) {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }
}
#endif
