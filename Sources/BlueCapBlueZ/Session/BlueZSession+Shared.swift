// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
package import BlueCapDBus
import BlueCapLoop
import BlueCapRuntime

extension BlueZSession {
    private final class Entry: Sendable {
        // A session is only ever released, so a weak reference needs no lock of its own.
        weak let session: BlueZSession?
        init(_ session: BlueZSession) { self.session = session }
    }

    private static let sessions = Locked<[BusAddress: Entry]>([:])

    /// The process's session on a bus, which is made if there is none.
    package static func shared(at address: BusAddress) throws(DBusError) -> BlueZSession {
        if let session = sessions.withLock({ $0[address]?.session }) { return session }
        let made = BlueZSession(address: address, loop: try DBusError.translating(EventLoop.init))
        return sessions.withLock { sessions in
            // Another thread may have been quicker.
            if let session = sessions[address]?.session { return session }
            sessions = sessions.filter { $0.value.session != nil }
            sessions[address] = Entry(made)
            return made
        }
    }
}
#endif
