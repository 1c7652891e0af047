// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CallTests {
    /// A service that answers `Echo` at once and `Hold` when the test says so.
    static func pair(_ held: HeldCalls) async throws -> TestPair {
        try await TestPair(interfaces: {
            var interface = ExportedInterface(TestPair.interface)
            interface.method("Echo", in: "u", out: "u") { call in call.reply(call.arguments[0]) }
            interface.method("Hold", in: "u") { call in held.hold(call) }
            return [interface]
        })
    }

    @Test func `10 000 calls cancelled at random moments each end once and leave nothing behind`() async throws {
        let pair = try await Self.pair(HeldCalls())
        let client = pair.client
        var random = SeededRandom(seed: 7)
        var ended = 0
        for round in 0..<20 {
            let tasks = (0..<500).map { index in
                Task { () -> DBusError? in
                    await failure { () throws(DBusError) in
                        try await client.call(
                            .methodCall(
                                to: TestPair.serviceName, path: TestPair.path, interface: TestPair.interface,
                                member: "Echo", body: [.uint32(UInt32(index))]))
                    }
                }
            }
            for task in tasks.shuffled(using: &random).prefix(round * 25) { task.cancel() }
            for task in tasks {
                let error = await task.value
                #expect(error == nil || error == .cancelled)
                ended += 1
            }
        }
        #expect(ended == 10_000)
        // Answered after everything that was sent before it.
        _ = try await client.call(TestPair.call("Echo", .uint32(0)))
        let metrics = await client.metrics
        #expect(metrics.inFlight == 0 && metrics.queued == 0 && metrics.zombies == 0 && metrics.strayReplies == 0)
        await pair.close()
    }

    @Test func `a connection counts each message that comes`() async throws {
        let pair = try await Self.pair(HeldCalls())
        let before = await pair.client.metrics.received
        for _ in 0..<3 { _ = try await pair.client.call(TestPair.call("Echo", .uint32(0))) }
        #expect(await pair.client.metrics.received == before + 3)
        await pair.close()
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let client = pair.client
        let call = try TestPair.call("Hold", .uint32(0))
        let task = Task { () -> DBusError? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await failure { () throws(DBusError) in try await client.call(call) }
        }
        #expect(await task.value == .cancelled)
        _ = try await client.call(TestPair.call("Echo", .uint32(0)))
        #expect(held.calls.isEmpty)
        await pair.close()
    }

    @Test func `a late reply after a cancel is counted and not taken for the next one`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let client = pair.client
        let call = try TestPair.call("Hold", .uint32(0))
        let task = Task { await failure { () throws(DBusError) in try await client.call(call) } }
        await held.wait(for: 1, on: pair.loop)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(await client.metrics.zombies == 1)
        await held.answerAll(on: pair.loop)
        let reply = try await client.call(TestPair.call("Echo", .uint32(5)))
        #expect(try reply.body() == [.uint32(5)])
        let metrics = await client.metrics
        #expect(metrics.lateReplies == 1 && metrics.zombies == 0 && metrics.inFlight == 0)
        await pair.close()
    }

    @Test func `a call past its deadline times out, and its late reply is counted`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let call = try TestPair.call("Hold", .uint32(0))
        let error = await failure { () throws(DBusError) in
            try await pair.client.call(call, deadline: .milliseconds(20))
        }
        #expect(error == .timedOut)
        await held.wait(for: 1, on: pair.loop)
        await held.answerAll(on: pair.loop)
        _ = try await pair.client.call(TestPair.call("Echo", .uint32(0)))
        #expect(await pair.client.metrics.lateReplies == 1)
        await pair.close()
    }

    @Test func `a reply of an unexpected signature is a typed error`() async throws {
        let pair = try await Self.pair(HeldCalls())
        let reply = try await pair.client.call(TestPair.call("Echo", .uint32(1)))
        let error = await failure { () throws(DBusError) in try reply.body(expecting: "ay") }
        #expect(error == .unexpectedSignature(expected: "ay", found: "u"))
        await pair.close()
    }

    @Test func `more calls than the bus allows wait their turn in order, and none is refused`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let link = pair.client.link
        let results = Recorder<UInt32>()
        let calls = try (0..<300).map { try TestPair.call("Hold", .uint32($0)) }
        await pair.loop.run {
            for (index, call) in calls.enumerated() {
                link.call(call) { result in
                    if case .success = result { results.add(UInt32(index)) }
                }
            }
        }
        await held.wait(for: 96, on: pair.loop)
        let full = await pair.client.metrics
        #expect(full.inFlight == 96 && full.queued == 204)
        var arrived: [UInt32] = []
        while arrived.count < 300 {
            await held.wait(for: 1, on: pair.loop)
            arrived += await held.answerAll(on: pair.loop).compactMap(\.uint32Value)
        }
        await results.wait(for: 300)
        #expect(arrived == Array(0..<300))
        #expect(results.all == Array(0..<300))
        await pair.close()
    }

    @Test func `calls given up keep their slots until they are answered`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let link = pair.client.link
        let ended = Recorder<Bool>()
        let calls = try (0..<96).map { try TestPair.call("Hold", .uint32($0)) }
        let ids = await pair.loop.run {
            calls.map { link.call($0) { result in ended.add((try? result.get()) == nil) } }
        }
        await held.wait(for: 96, on: pair.loop)
        await pair.loop.run { for id in ids { link.cancel(id) } }
        await ended.wait(for: 96)
        #expect(ended.all == Array(repeating: true, count: 96))
        let client = pair.client
        let echo = try TestPair.call("Echo", .uint32(1))
        let next = Task { await failure { () throws(DBusError) in try await client.call(echo) } }
        while await client.metrics.queued == 0, !Task.isCancelled { await Task.yield() }
        #expect(await client.metrics.zombies == 96)
        await held.answerAll(on: pair.loop)
        #expect(await next.value == nil)
        #expect(await client.metrics.lateReplies == 96)
        await pair.close()
    }

    @Test func `the reply handler is not called from inside call, cancel or close`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let link = pair.client.link
        let call = try TestPair.call("Hold", .uint32(0))
        let log = Recorder<String>()
        await pair.loop.run {
            let id = link.call(call) { _ in log.add("cancelled") }
            link.cancel(id)
            link.call(call) { _ in log.add("closed") }
            link.close()
            link.call(call) { _ in log.add("too late") }
            log.add("returned")
        }
        await log.wait(for: 4)
        #expect(log.all == ["returned", "cancelled", "closed", "too late"])
        await pair.close()
    }

    @Test func `a call is answered from another thread as well as on the loop`() async throws {
        let held = HeldCalls()
        let pair = try await Self.pair(held)
        let client = pair.client
        let call = try TestPair.call("Hold", .uint32(0))
        async let reply = client.call(call)
        await held.wait(for: 1, on: pair.loop)
        let taken = await pair.loop.run {
            defer { held.calls = [] }
            return held.calls
        }
        taken[0].reply()
        #expect(try await reply.body().isEmpty)
        await pair.close()
    }

    @Test func `a call that may not start a service says so on the wire`() async throws {
        let pair = try await Self.pair(HeldCalls())
        let call = try Message.methodCall(
            to: "org.bluecap.NotThere", path: "/", interface: nil, member: "Anything")
        let error = await failure { () throws(DBusError) in try await pair.client.call(call) }
        #expect(error?.remoteName == ErrorName.nameHasNoOwner)
        await pair.close()
    }
}
#endif
