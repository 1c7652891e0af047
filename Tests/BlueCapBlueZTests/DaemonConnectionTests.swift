// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import BlueCapRuntime
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DaemonConnectionTests {
    @Test func `a bus that cannot be reached is tried again, the next time after twice the time`() async throws {
        let (loop, clock) = (try EventLoop(), ManualClock())
        let session = BlueZSession(address: try BusAddress("unix:path=/nonexistent"), loop: loop)
        await loop.run { session.start(clock: clock.clock) }
        await clock.waitForTimer(within: .milliseconds(250))
        clock.advance(by: .milliseconds(250))
        await clock.waitForTimer(within: .milliseconds(500))
        #expect(clock.nextDeadline == .milliseconds(750))
        withExtendedLifetime(session) {}
    }
}
#endif
