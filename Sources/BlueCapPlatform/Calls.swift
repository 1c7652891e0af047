// SPDX-License-Identifier: MIT

// Calls of the C library by names that no method hides, with the types that they have on all platforms.

/// Reads from a descriptor; the result is that of `read`.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

/// Writes to a descriptor; the result is that of `write`.
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

/// Closes a descriptor; the result is that of `close`.
package func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// A new socket of the Unix domain for a stream; the result is that of `socket`.
package func systemStreamSocket() -> Int32 { unixSocket(SOCK_STREAM) }

#if os(Linux)
/// A new socket of the Unix domain for datagrams; the result is that of `socket`.
package func systemDatagramSocket() -> Int32 { unixSocket(SOCK_DGRAM) }
#endif

#if canImport(Glibc)
private func unixSocket(_ type: __socket_type) -> Int32 { socket(AF_UNIX, Int32(type.rawValue), 0) }
#else
private func unixSocket(_ type: Int32) -> Int32 { socket(AF_UNIX, type, 0) }
#endif

/// Connects a socket; the result is that of `connect`.
package func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    unsafe connect(descriptor, address, size)
}

#if os(Linux)
/// Opens a file; the result is that of `open`.
package func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }

/// Gives a socket its address; the result is that of `bind`.
package func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    unsafe bind(descriptor, address, size)
}

/// Lets a socket take connections; the result is that of `listen`.
package func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

/// The next connection to a socket; the result is that of `accept`.
package func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

/// Sends to a socket, without a signal where the other side has gone; the result is that of `send`.
package func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
}
#endif
