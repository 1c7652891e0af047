// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPlatform
import BlueCapPrivateBus
import Testing

/// In processes of their own, where nothing else opens descriptors, starts threads or takes memory.
@Suite(.timeLimit(.minutes(60)))
struct LeakTests {
    @Test
    func `500 rounds of opening, passing descriptors and closing leave no descriptor and no thread behind`() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            let address = try BusAddress(bus.address)
            func round() async throws {
                let loop = try EventLoop()
                let client = try await BusConnection.open(address, on: loop)
                let service = try await BusConnection.open(address, on: loop)
                try await DescriptorExchange.run(client: client, service: service)
                await client.close()
                await service.close()
                await loop.stop()
            }
            // The first rounds open the descriptors that a process opens once.
            for _ in 0..<5 { try await round() }
            let descriptors = await Process.descriptorsAtFirst()
            for _ in 0..<500 { try await round() }
            // A thread ends soon after its loop was released.
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            #expect(await Process.settles { Process.threadCount(named: "bluecap-bus") == 0 })
        }
    }

    @Test func `500 attempts at a bus that ends the connection leave no descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let bus = try FakeBus { $0.readLine() }
            let address = try BusAddress(bus.address)
            let loop = try EventLoop()
            func attempt() async throws {
                let error = await failure { () throws(DBusError) in try await BusConnection.open(address, on: loop) }
                guard case .openFailed = error else { throw DBusError.malformed("\(String(describing: error))") }
            }
            for _ in 0..<5 { try await attempt() }
            let descriptors = await Process.descriptorsAtFirst()
            for _ in 0..<500 { try await attempt() }
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            await loop.stop()
        }
    }
}

/// A service that hands out sockets, and a client that takes one and gives up on another.
enum DescriptorExchange {
    static func run(client: BusConnection, service: BusConnection) async throws {
        let (link, loop) = (service.link, client.loop)
        let held = HeldCalls()
        try await loop.run { () throws(DBusError) in
            var interface = ExportedInterface(TestPair.interface)
            interface.method("Acquire", out: "hq") { Self.hand($0) }
            interface.method("AcquireLate", out: "hq") { held.hold($0) }
            try link.export([interface], at: TestPair.path)
        }
        func call(_ member: String) async throws -> Message {
            try .methodCall(
                to: await service.uniqueName, path: TestPair.path, interface: TestPair.interface, member: member)
        }
        let reply = try await client.call(call("Acquire"))
        let descriptor = try reply.takeDescriptor(at: reply.body(expecting: "hq")[0].descriptorValue ?? 0)
        _ = try descriptor.duplicate()
        let late = try await call("AcquireLate")
        let task = Task { await failure { () throws(DBusError) in try await client.call(late) } }
        await held.wait(for: 1, on: loop)
        task.cancel()
        _ = await task.value
        await loop.run {
            for call in held.calls { hand(call) }
            held.calls = []
        }
        // Answered after the late one, whose descriptor is closed by now.
        _ = try await client.call(call("Acquire"))
        guard await client.metrics.lateReplies == 1 else { throw DBusError.malformed("no late reply") }
    }

    private static func hand(_ call: MethodCall) {
        call.reply { builder throws(DBusError) in
            let pair = try DBusError.translating(PacketPair.init)
            try builder.append(pair.near)
            try builder.append(.uint16(517))
        }
    }
}
#endif
