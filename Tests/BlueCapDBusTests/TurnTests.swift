// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

/// The turns of a loop that carries a connection.
@Suite(.timeLimit(.minutes(60)))
struct TurnTests {
    @Test func `a signal is handled where its bytes are read, without further work of the loop`() async throws {
        let bus = try FakeBus { client in
            client.welcome()
            while client.readMessage() != nil { client.send(FakeBus.tick()) }
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let link = connection.link
        let next = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Next", expectsReply: false)
        let work = Recorder<Int>()
        try await loop.run { () throws(DBusError) in
            link.onSignal(.all, member: "Tick") { _ in
                work.add(loop.workCount)
                try? link.send(next)
            }
            try link.send(next)
        }
        await work.wait(for: 20)
        #expect(Set(work.all.prefix(20)).count == 1)
        await connection.close()
        await loop.stop()
    }

    @Test func `there are no pauses while a call waits for its answer`() async throws {
        let pair = try await TestPair()
        let loop = pair.loop
        let link = pair.client.link
        let call = try TestPair.call("Unknown")
        let log = Recorder<Int>()
        await loop.run {
            loop.moderate(by: .seconds(3600))
            loop.pause(for: .seconds(3600))
            link.call(call) { _ in
                log.add(loop.awaitedCount)
                loop.moderate(by: .zero)
            }
        }
        await log.wait(for: 1)
        #expect(log.all == [0])
        await pair.close()
    }
}
#endif
