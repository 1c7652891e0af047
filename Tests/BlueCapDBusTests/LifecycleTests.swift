// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
@testable import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LifecycleTests {
    @Test func `a bus that is not there is an error with a name`() async throws {
        let loop = try EventLoop()
        let error = await failure { () throws(DBusError) in
            try await BusConnection.open(BusAddress("unix:path=/nonexistent/bus"), on: loop)
        }
        guard case .openFailed(let name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name == "org.freedesktop.DBus.Error.FileNotFound")
        await loop.stop()
    }

    @Test func `opening times out on a bus that does not answer, and works once it does`() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let address = try BusAddress(bus.address)
        bus.suspend()
        let error = await failure { () throws(DBusError) in
            try await BusConnection.open(address, on: loop, deadline: .milliseconds(50))
        }
        #expect(error == .timedOut)
        bus.resume()
        let connection = try await BusConnection.open(address, on: loop)
        await connection.close()
        await loop.stop()
    }

    @Test func `a bus that dies while it is being opened is an error`() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let address = try BusAddress(bus.address)
        bus.suspend()
        // With so many tests beside it, this one may not run again before the usual deadline has passed.
        let opening = Task {
            await failure { () throws(DBusError) in
                try await BusConnection.open(address, on: loop, deadline: .seconds(1000))
            }
        }
        // The loop's next turn comes after the connect.
        for _ in 0..<10 { await loop.run {} }
        bus.killDaemon()
        let error = await opening.value
        guard case .openFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await loop.stop()
    }

    @Test
    func `when the bus dies, pending calls end with disconnected, once, and later ones fail at once`() async throws {
        let held = HeldCalls()
        let pair = try await CallTests.pair(held)
        let link = pair.client.link
        let log = Recorder<String>()
        let calls = try (0..<120).map { try TestPair.call("Hold", .uint32($0)) }
        await pair.loop.run {
            for (index, call) in calls.enumerated() {
                link.call(call) { if case .failure(.disconnected) = $0 { log.add("\(index)") } }
            }
            link.onDisconnect { log.add("lost") }
        }
        await held.wait(for: 96, on: pair.loop)
        pair.bus.killDaemon()
        await log.wait(for: 121)
        #expect(log.all == (0..<120).map { "\($0)" } + ["lost"])
        let late = await failure { () throws(DBusError) in try await pair.client.call(calls[0]) }
        #expect(late == .disconnected)
        let metrics = await pair.client.metrics
        #expect(metrics.inFlight == 0 && metrics.queued == 0)
        await pair.close()
    }

    @Test func `when the bus dies in a burst, the stream ends with disconnected`() async throws {
        let pair = try await SignalTests.pair(holding: HeldCalls())
        let stream = try await pair.client.signals(
            MatchRule(sender: TestPair.serviceName), in: .path(TestPair.path), capacity: .newest(10))
        let client = pair.client
        let call = try TestPair.call("Burst", .uint32(20_000))
        let burst = Task { await failure { () throws(DBusError) in try await client.call(call) } }
        var seen = 0
        let bus = pair.bus
        var error: DBusError?
        do throws(DBusError) {
            for try await _ in stream {
                seen += 1
                if seen == 1 { bus.killDaemon() }
            }
        } catch let caught { error = caught }
        #expect(error == .disconnected)
        #expect(await burst.value == .disconnected)
        await pair.close()
    }

    @Test func `a connection that is released without being closed closes itself`() async throws {
        let pair = try await TestPair()
        let changes = Recorder<String?>()
        let link = pair.client.link
        do {
            let other = try await BusConnection.open(BusAddress(pair.bus.address), on: pair.loop)
            try await pair.loop.run { () throws(DBusError) in
                try link.watchName("org.bluecap.Other", handler: { changes.add($0.owner) })
            }
            #expect(try await other.requestName("org.bluecap.Other"))
        }
        await changes.wait(for: 2)
        #expect(changes.all[1] == nil)
        await pair.close()
    }

    @Test func `a closed connection that is released later leaves a stopped loop alone`() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        do {
            let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
            await connection.close()
            await loop.stop()
        }
        #expect(!loop.hasThread)
    }

    @Test func `300 connections one after another, then 50 at a time on one loop, then two loops`() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let address = try BusAddress(bus.address)
        for _ in 0..<300 {
            let connection = try await BusConnection.open(address, on: loop)
            await connection.close()
        }
        let other = try EventLoop()
        let names = try await withThrowingTaskGroup(of: BusConnection.self) { group in
            for index in 0..<50 {
                group.addTask { try await BusConnection.open(address, on: index % 2 == 0 ? loop : other) }
            }
            var all: [BusConnection] = []
            for try await connection in group { all.append(connection) }
            var names: Set<String> = []
            for connection in all { names.insert(await connection.uniqueName) }
            for connection in all { await connection.close() }
            return names
        }
        #expect(names.count == 50)
        await other.stop()
        await loop.stop()
    }
}
#endif
