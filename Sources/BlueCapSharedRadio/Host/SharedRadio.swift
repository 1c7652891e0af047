// SPDX-License-Identifier: MIT

#if os(Linux)
public import BlueCapCore
import BlueCapPlatform
import BlueCapRuntime
public import BlueCapVirtual

/// A virtual radio that other programs of the same user take part in, over a socket.
///
/// ```swift
/// let radio = VirtualRadio()
/// let shared = try radio.share(at: "/tmp/app.sock")
/// ```
///
/// Each other program, a guest, has an adapter on the radio: ``SharedCentralBackend`` and ``SharedPeripheralBackend``
/// are its roles, and `bluecap --backend virtual:/tmp/app.sock` is a guest, too. The end of a guest ends its links and
/// nothing else. The radio is shared until ``stop()``, or until this object is gone.
///
/// The socket is readable and writable by its user alone, and a connection of another user is not taken.
public final class SharedRadio: Sendable {
    /// The most guests at a time.
    private static let guestLimit = 64

    private struct Guest {
        let port: FramePort
        let session: GuestSession

        func leave() {
            port.close()
            // Its role ends with it, at the latest.
            session.later { $0.end() }
        }
    }

    private struct State {
        var isStopped = false
        var guests: [UInt64: Guest] = [:]
        var lastGuest: UInt64 = 0
    }

    /// The path of the socket.
    public let path: String
    private let radio: VirtualRadio
    private let socket: UnixSocket
    /// The inode of the socket's file, which another program may have replaced.
    private let inode: UInt64?
    private let addresses = GuestAddresses()
    private let state = Locked(State())

    fileprivate init(_ radio: VirtualRadio, at path: String) throws(BackendFailure) {
        self.path = path
        self.radio = radio
        socket = try UnixSocket.listening(at: path)
        inode = Self.inode(of: path)
        ThreadIdentity.startDetached { [weak self, socket] in
            while let guest = socket.accepted() { self?.admit(guest) }
        }
    }

    deinit { stop() }

    /// Ends the sharing: the guests' radio is gone, and the socket is removed.
    public func stop() {
        let guests: [UInt64: Guest]? = state.withLock { state in
            if state.isStopped { return nil }
            state.isStopped = true
            defer { state.guests = [:] }
            return state.guests
        }
        guard let guests else { return }
        socket.end()
        if let inode, Self.inode(of: path) == inode { _ = unsafe unlink(path) }
        for guest in guests.values { guest.leave() }
    }

    private static func inode(of path: String) -> UInt64? {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? UInt64(facts.st_ino) : nil
    }

    private func admit(_ socket: UnixSocket) {
        let number: UInt64? = state.withLock { state in
            guard !state.isStopped, state.guests.count < Self.guestLimit else { return nil }
            state.lastGuest += 1
            return state.lastGuest
        }
        guard let number else {
            // The frame fits into a fresh socket.
            let port = FramePort(socket) { _, done in done() }
            if let frame = Frame.encode(HostMessage<CentralEvent>.refused(.tooMuch)) { port.send(frame) }
            return port.close()
        }
        let session = GuestSession(radio: radio, addresses: addresses) { [weak self] in
            self?.state.withLock { $0.guests[number] = nil }
        }
        let port = FramePort(socket) { [weak session] arrivals, done in
            session?.later { session in
                for arrival in arrivals { session.take(arrival) }
                done()
            }
        }
        let isAdmitted = state.withLock { state in
            if state.isStopped { return false }
            state.guests[number] = Guest(port: port, session: session)
            return true
        }
        guard isAdmitted else { return port.close() }
        session.later { $0.open(port) }
        port.start()
    }
}

extension VirtualRadio {
    /// Shares this radio with other programs of the same user, over a socket that is made at a path.
    ///
    /// A socket at the path that no program listens to is replaced. The radio has to be on a real clock, which is the
    /// one clock of all its programs; the default is one.
    ///
    /// - Parameter path: The path of the socket, at most 107 bytes, in a folder that is there.
    /// - Returns: The sharing, which ends with this object.
    /// - Throws: `SharedRadio.ManualClock`, `SharedRadio.InUse` where another program shares a radio at the path,
    ///   `SharedRadio.NoSocket` where another file is there, or the failure of a call of the system.
    public func share(at path: String) throws(BackendFailure) -> SharedRadio {
        guard manualClock == nil else {
            throw .sharedRadio(
                "ManualClock", "the clock of the radio is moved by hand",
                advice: "share one that is made without a clock")
        }
        return try SharedRadio(self, at: path)
    }
}
#endif
