// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ObjectReaderTests {
    @Test func `a reading of the objects is given up when more signals come than are kept`() async throws {
        let loop = try EventLoop()
        let session = BlueZSession(address: try BusAddress("unix:path=/nonexistent"), loop: loop)
        let signal = try Message.signal(
            path: "/org/bluez/hci0", interface: StandardInterface.properties, member: "PropertiesChanged")
        let status = await loop.run {
            session.objects.load(into: session)
            for _ in 0...65_536 { session.objects.receive(signal, session) }
            return session.status
        }
        #expect(status == .refused(.tooManySignals, isRefusal: false))
    }
}
#endif
