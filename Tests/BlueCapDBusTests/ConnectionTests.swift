// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ConnectionTests {
    @Test func `opening a connection gives it a unique name, and closing it ends it`() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        #expect(await connection.uniqueName.hasPrefix(":1."))
        await connection.close()
        await loop.stop()
    }
}
#endif
