// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SignalTests {
    /// A service whose `Burst` emits numbered signals before it answers, or before the call is held.
    static func pair(holding held: HeldCalls? = nil) async throws -> TestPair {
        let pair = try await TestPair()
        let link = pair.service.link
        try await pair.loop.run { () throws(DBusError) in
            var interface = ExportedInterface(TestPair.interface)
            interface.method("Burst", in: "u") { [unowned link] call in
                for index in 0..<(call.arguments[0].uint32Value ?? 0) {
                    try? link.emitSignal(
                        at: TestPair.path, interface: TestPair.interface, member: "Tick", body: [.uint32(index)])
                }
                if let held { held.hold(call) } else { call.reply() }
            }
            try link.export([interface], at: TestPair.path)
        }
        return pair
    }

    @Test func `signals keep their order, and a reply comes after the signals sent before it`() async throws {
        let pair = try await Self.pair()
        let link = pair.client.link
        let log = Recorder<UInt32?>()
        try await pair.client.addMatch(MatchRule(sender: TestPair.serviceName))
        let burst = try TestPair.call("Burst", .uint32(500))
        await pair.loop.run {
            link.onSignal(.path(TestPair.path)) { log.add((try? $0.body())?.first?.uint32Value) }
            link.call(burst) { _ in log.add(nil) }
        }
        await log.wait(for: 501)
        #expect(log.all == (0..<500).map { $0 } + [nil])
        await pair.close()
    }

    @Test func `a handler gets the signals of its scope and names, and none after it is removed`() async throws {
        let pair = try await TestPair()
        let (service, client) = (pair.service.link, pair.client.link)
        let log = Recorder<String>()
        try await pair.client.addMatch(MatchRule(sender: TestPair.serviceName))
        try await pair.loop.run { () throws(DBusError) in
            client.onSignal(.all, member: "End") { _ in log.add("end") }
            client.onSignal(.path("/a/b")) { _ in log.add("path") }
            client.onSignal(.namespace("/a")) { log.add("below \($0.path ?? "")") }
            client.onSignal(.namespace("/")) { log.add("root \($0.path ?? "")") }
            client.onSignal(.path("/a/b"), member: "Other") { _ in log.add("wrong member") }
            client.onSignal(.path("/a/b"), interface: "a.Other") { _ in log.add("wrong interface") }
            client.removeHandler(client.onSignal(.path("/a/b")) { _ in log.add("removed") })
            for (path, member) in [("/a/b", "Sig"), ("/ab", "Sig"), ("/a", "Sig"), ("/", "End")] {
                try service.emitSignal(at: path, interface: "a.B", member: member)
            }
        }
        await log.wait(for: 8)
        #expect(
            log.all == ["path", "below /a/b", "root /a/b", "root /ab", "below /a", "root /a", "end", "root /"])
        await pair.close()
    }

    @Test func `signals that differ in their path alone go each to the handlers of its own`() async throws {
        let pair = try await TestPair()
        let (service, client) = (pair.service.link, pair.client.link)
        let log = Recorder<String>()
        try await pair.client.addMatch(MatchRule(sender: TestPair.serviceName))
        let paths = ["/a/b", "/a/c", "/a/b", "/d/b", "/a/d", "/a/b", "/d/c", "/a/c", "/a/c"]
        try await pair.loop.run { () throws(DBusError) in
            client.onSignal(.path("/a/b"), member: "Sig") { _ in log.add("b") }
            client.onSignal(.namespace("/a"), member: "Sig") { log.add("below \($0.path ?? "")") }
            client.onSignal(.namespace("/a"), member: "Other") { _ in log.add("wrong member") }
            client.onSignal(.path("/a/c"), interface: "a.Other") { _ in log.add("wrong interface") }
            client.onSignal(.all, member: "End") { _ in log.add("end") }
            for path in paths { try service.emitSignal(at: path, interface: "a.B", member: "Sig") }
            try service.emitSignal(at: "/", interface: "a.B", member: "End")
        }
        let expected = paths.flatMap { path in
            (path == "/a/b" ? ["b"] : []) + (path.hasPrefix("/a/") ? ["below \(path)"] : [])
        }
        await log.wait(for: expected.count + 1)
        #expect(log.all == expected + ["end"])
        await pair.close()
    }

    @Test func `a signal of somebody else than the owner of the name is dropped and counted`() async throws {
        let pair = try await TestPair()
        let intruder = try await BusConnection.open(BusAddress(pair.bus.address), on: pair.loop)
        let (service, client, other) = (pair.service.link, pair.client.link, intruder.link)
        let log = Recorder<Bool>()
        try await pair.loop.run { () throws(DBusError) in
            try client.watchName(TestPair.serviceName, handler: { _ in })
        }
        try await pair.client.addMatch(MatchRule(interface: TestPair.interface))
        let genuine = await service.loop.run { service.uniqueName }
        try await pair.loop.run { () throws(DBusError) in
            client.onSignal(.all, sender: TestPair.serviceName) { log.add($0.sender == genuine) }
            for link in [other, service] {
                try link.emitSignal(at: "/", interface: TestPair.interface, member: "Tick")
            }
        }
        await log.wait(for: 1)
        #expect(log.all == [true])
        #expect(await pair.client.metrics.spoofedSignals == 1)
        await intruder.close()
        await pair.close()
    }

    @Test
    func `when a service goes, its pending calls fail and its name has no owner until it is back`() async throws {
        let held = HeldCalls()
        let pair = try await CallTests.pair(held)
        let client = pair.client
        let changes = Recorder<String?>()
        let link = client.link
        let first = await pair.service.uniqueName
        let owner = Recorder<String?>()
        try await pair.loop.run { () throws(DBusError) in
            try link.watchName(
                TestPair.serviceName, handler: { changes.add($0.owner) }, ready: { owner.add(try? $0.get()) })
        }
        await owner.wait(for: 1)
        #expect(owner.all == [first])
        let call = try TestPair.call("Hold", .uint32(0))
        let pending = Task { await failure { () throws(DBusError) in try await client.call(call) } }
        await held.wait(for: 1, on: pair.loop)
        await pair.service.close()
        #expect(await pending.value?.remoteName == ErrorName.noReply)
        let second = try await BusConnection.open(BusAddress(pair.bus.address), on: pair.loop)
        #expect(try await second.requestName(TestPair.serviceName))
        await changes.wait(for: 2)
        #expect(changes.all == [nil, await second.uniqueName])
        await second.close()
        await pair.close()
    }

    @Test func `a rule used twice is on the bus once, until its last use ends`() async throws {
        let pair = try await TestPair()
        let link = pair.client.link
        let rule = try MatchRule(sender: TestPair.serviceName)
        let first = try await pair.client.addMatch(rule)
        let second = try await pair.client.addMatch(rule)
        #expect(await pair.loop.run { link.matchCount } == 1)
        await pair.loop.run { link.removeMatch(first) }
        #expect(await pair.loop.run { link.matchCount } == 1)
        await pair.loop.run { link.removeMatch(second) }
        #expect(await pair.loop.run { link.matchCount } == 0)
        await pair.close()
    }

    @Test(arguments: [(StreamCapacity.newest(256), UInt32(4744)), (.oldest(256), 0), (.newest(8000), 0)])
    func `a slow consumer loses what its capacity says, and the losses are counted`(
        capacity: StreamCapacity, first: UInt32
    ) async throws {
        let pair = try await Self.pair()
        let stream = try await pair.client.signals(
            MatchRule(sender: TestPair.serviceName), in: .path(TestPair.path), sender: TestPair.serviceName,
            capacity: capacity)
        _ = try await pair.client.call(TestPair.call("Burst", .uint32(5000)))
        #expect(stream.droppedCount == (capacity == .newest(8000) ? 0 : 4744))
        var iterator = stream.makeAsyncIterator()
        guard case .signal(let message) = try await iterator.next() else {
            Issue.record("no signal")
            return
        }
        #expect(try message.body() == [.uint32(first)])
        await pair.close()
    }

    @Test func `a stream that is released takes its rules off the bus`() async throws {
        let pair = try await Self.pair()
        let link = pair.client.link
        do {
            let stream = try await pair.client.signals(
                MatchRule(sender: TestPair.serviceName), in: .all, sender: TestPair.serviceName)
            let task = Task { () -> Int in
                var count = 0
                do {
                    for try await _ in stream { count += 1 }
                } catch { count = -1 }
                return count
            }
            #expect(await pair.loop.run { link.matchCount } == 2)
            task.cancel()
            #expect(await task.value == 0)
        }
        while await pair.loop.run({ link.matchCount }) > 0, !Task.isCancelled { await Task.yield() }
        await pair.close()
    }

    @Test func `a stream tells of a new owner and throws when the connection is closed`() async throws {
        let pair = try await Self.pair()
        let stream = try await pair.client.signals(
            MatchRule(sender: TestPair.serviceName), in: .all, sender: TestPair.serviceName)
        var iterator = stream.makeAsyncIterator()
        try await pair.service.releaseName(TestPair.serviceName)
        guard case .ownerChanged(nil) = try await iterator.next() else {
            Issue.record("no change of owner")
            return
        }
        await pair.client.close()
        var error: DBusError?
        do throws(DBusError) {
            _ = try await iterator.next()
        } catch let caught { error = caught }
        #expect(error == .disconnected)
        await pair.close()
    }

    @Test func `a burst does not keep other work and timers of the loop waiting until its end`() async throws {
        let pair = try await Self.pair()
        let loop = try EventLoop()
        let client = try await BusConnection.open(BusAddress(pair.bus.address), on: loop)
        let link = client.link
        let seen = Recorder<UInt32>()
        let atWork = Recorder<Int>()
        let atTimer = Recorder<Int>()
        try await client.addMatch(MatchRule(sender: TestPair.serviceName))
        await loop.run {
            link.onSignal(.path(TestPair.path)) { message in
                if seen.count == 0 {
                    loop.submit { atWork.add(seen.count) }
                    loop.after(.milliseconds(1)) { atTimer.add(seen.count) }
                }
                seen.add((try? message.body())?.first?.uint32Value ?? 0)
            }
        }
        _ = try await client.call(TestPair.call("Burst", .uint32(10_000)))
        #expect(seen.count == 10_000)
        await atTimer.wait(for: 1)
        #expect(atWork.all[0] <= 256)
        #expect(atTimer.all[0] < 10_000)
        await client.close()
        await loop.stop()
        await pair.close()
    }
}
#endif
