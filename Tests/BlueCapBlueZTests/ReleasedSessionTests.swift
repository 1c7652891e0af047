// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import Testing

@testable import BlueCapBlueZ

@Suite(.timeLimit(.minutes(60)))
struct ReleasedSessionTests {
    // The bus's handlers hold only the agent, and the last manager to go releases the session on any thread.
    @Test func `an agent whose session was released does nothing, and does not trap`() async throws {
        let loop = try EventLoop()
        let address = try BusAddress("unix:path=/nonexistent")
        let isReleased = await loop.run {
            var session: BlueZSession? = BlueZSession(address: address, loop: loop)
            weak let released = session
            guard let agent = session?.pairing else { return false }
            agent.set(.displayYesNo, for: 1, serves: { _ in true }, handler: { _ in })
            session = nil
            agent.register()
            agent.remove(1)
            return released == nil
        }
        #expect(isReleased)
    }

    // A call of the daemon may still reach it meanwhile.
    @Test func `a monitor whose session was released does nothing, and does not trap`() async throws {
        let loop = try EventLoop()
        let address = try BusAddress("unix:path=/nonexistent")
        let isReleased = await loop.run {
            var session: BlueZSession? = BlueZSession(address: address, loop: loop)
            weak let released = session
            guard let monitor = session.map({ AdvertisementMonitor(session: $0, adapter: "/org/bluez/hci0") }) else {
                return false
            }
            session = nil
            monitor.begin()
            monitor.end()
            return released == nil
        }
        #expect(isReleased)
    }
}
#endif
