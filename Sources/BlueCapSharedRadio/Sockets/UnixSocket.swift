// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapCore
import BlueCapPlatform
import CBlueCapLinux

/// A stream socket of the Unix domain; closed with its last reference.
final class UnixSocket: Sendable {
    let descriptor: Int32

    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { _ = systemClose(descriptor) }

    // MARK: Making one

    /// A socket that takes connections of this user's programs at a path.
    ///
    /// A socket at the path that no program listens to is replaced.
    ///
    /// - Throws: `SharedRadio.InUse`, `SharedRadio.NoSocket`, or the failure of a call of the system.
    static func listening(at path: String) throws(BackendFailure) -> UnixSocket {
        // Of two programs that begin at once, the second would replace the socket of the first, as long as the first
        // has not come to `listen`.
        let lock = locked(folderOf: path)
        defer { if lock >= 0 { _ = systemClose(lock) } }
        return try made(at: path)
    }

    /// Locks a folder for a moment, for the programs that make sockets in it.
    ///
    /// - Returns: The descriptor that has the lock; -1 where another program has it for more than a second, or the
    ///   folder cannot be opened: nothing is held up by that.
    private static func locked(folderOf path: String) -> Int32 {
        let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = unsafe open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        for _ in 0..<100 {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
            _ = poll(nil, 0, 10)
        }
        _ = systemClose(folder)
        return -1
    }

    private static func made(at path: String) throws(BackendFailure) -> UnixSocket {
        var facts = stat()
        if unsafe lstat(path, &facts) == 0 {
            guard facts.st_mode & S_IFMT == S_IFSOCK else {
                throw .sharedRadio("NoSocket", "\(path) is there, and is no socket", advice: "choose another path")
            }
            let isHeard: Bool
            do throws(BackendFailure) {
                _ = try joined(at: path)
                isHeard = true
            } catch {
                isHeard = error.name != BackendFailure.unshared(at: path).name
            }
            guard !isHeard else {
                throw .sharedRadio("InUse", "another program shares a radio at \(path)", advice: "choose another path")
            }
            _ = unsafe unlink(path)
        }
        let socket = try made()
        guard try unsafe withAddress(path, { unsafe systemBind(socket.descriptor, $0, $1) }) == 0 else {
            throw .system("bind", errno, path)
        }
        // No program can connect before `listen`.
        guard unsafe chmod(path, 0o600) == 0, systemListen(socket.descriptor, 16) == 0 else {
            let error = errno
            _ = unsafe unlink(path)
            throw .system("listen", error, path)
        }
        return socket
    }

    /// A connection to the program of this user that listens at a path.
    ///
    /// - Throws: `SharedRadio.Absent` where none does, `SharedRadio.Foreign` where it is another user's.
    static func joined(at path: String) throws(BackendFailure) -> UnixSocket {
        let socket = try made()
        // Not to wait for a program that takes no connections.
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        guard try unsafe withAddress(path, { unsafe systemConnect(socket.descriptor, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ENOTDIR, ECONNREFUSED: throw .unshared(at: path)
            case EACCES, EPERM: throw .foreign(path)
            case let error: throw .system("connect", error, path)
            }
        }
        guard socket.isOfThisUser else { throw .foreign(path) }
        _ = fcntl(socket.descriptor, F_SETFL, 0)
        return socket
    }

    /// Waits for the next connection of a program of this user.
    ///
    /// - Returns: Nil once the socket has ended.
    func accepted() -> UnixSocket? {
        while true {
            let accepted = systemAccept(descriptor)
            if accepted >= 0 {
                let socket = UnixSocket(owning: accepted)
                if socket.isOfThisUser { return socket }
            } else if errno == EINVAL || errno == EBADF {
                return nil
            } else if errno != EINTR, errno != ECONNABORTED {
                // Without descriptors the connection goes on waiting: not to be asked for again at once.
                _ = poll(nil, 0, 100)
            }
        }
    }

    private static func made() throws(BackendFailure) -> UnixSocket {
        let descriptor = systemStreamSocket()
        guard descriptor >= 0 else { throw .system("socket", errno, "") }
        return UnixSocket(owning: descriptor)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(BackendFailure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else {
            throw .sharedRadio(
                "InvalidPath", "\(path) cannot be the path of a socket", advice: "use one of up to \(room - 1) bytes")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
        }
    }

    /// Whether the process at the other end runs as the user of this one.
    private var isOfThisUser: Bool {
        // `struct ucred`: the process, the user, the group.
        var credentials: [UInt32] = [0, .max, 0]
        var size = socklen_t(12)
        let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        return status == 0 && credentials[1] == geteuid()
    }

    // MARK: Using it

    /// Sends the beginning of the bytes: as many as the system takes.
    ///
    /// - Returns: How many; negative where the connection is broken.
    func send(_ bytes: ArraySlice<UInt8>) -> Int {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe bluecap_send_stream(descriptor, $0.baseAddress, $0.count, nil, 0)
        }
        return count == -Int(EAGAIN) || count == -Int(EINTR) ? 0 : count
    }

    /// Waits until the system takes bytes again, or the connection has ended.
    func waitForRoom() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }

    /// Ends the connection for both sides, whoever still has the socket. What the system took is delivered.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits for bytes, and reads at most as many as the buffer has.
    ///
    /// - Returns: How many; 0 at the end.
    func receive(_ buffer: inout [UInt8]) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe systemRead(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 || errno != EINTR { return max(count, 0) }
        }
    }
}

extension BackendFailure {
    fileprivate static func system(_ call: String, _ error: Int32, _ path: String) -> BackendFailure {
        let text = unsafe strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
        return .sharedRadio("SystemError", "\(call)\(path.isEmpty ? "" : " of \(path)"): \(text)")
    }
}
#endif
