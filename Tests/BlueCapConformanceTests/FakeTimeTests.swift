// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapFakeBlueZ
import BlueCapPrivateBus
import BlueCapTesting
import Testing

/// Where all time passes by itself, it stands still while any work is under way, whichever process has the processor.
@Suite(.timeLimit(.minutes(60)))
struct FakeTimeTests {
    /// The time that passes while the body of a program runs, in a world in which a timer is always set.
    private func timePassed(
        _ body: @Sendable (FakeWorld) async throws -> Void
    ) async throws -> Duration {
        let world = try await FakeWorld(passesTime: true)
        let central = try await world.makeCentral { $0 }
        let passed = try await withTaskExecutorPreference(central.executor) {
            try await central.whenPoweredOn()
            let began = world.clock.elapsed
            for milliseconds in 1...1000 { _ = world.clock.schedule(after: .milliseconds(milliseconds)) {} }
            try await body(world)
            return world.clock.elapsed - began
        }
        await world.close()
        return passed
    }

    /// Waits for so many answers of the bus, one after the other, on the thread of the program.
    private static func askBus(_ count: Int, in world: FakeWorld) async throws {
        let link = try #require(BlueZSession.shared(at: BusAddress(world.bus.address)).link)
        let call = try Message.methodCall(
            to: BusDaemon.name, path: BusDaemon.path, interface: BusDaemon.interface, member: "GetId")
        for _ in 0..<count {
            await withCheckedContinuation { answered in link.call(call) { _ in answered.resume() } }
        }
    }

    @Test func `no time passes while a program and the far devices take turns`() async throws {
        let passed = try await timePassed { world in
            for _ in 0..<2000 { _ = await world.fake.withAir { _ in true } }
        }
        #expect(passed == .zero)
    }

    @Test func `no time passes while a program waits for the bus`() async throws {
        #expect(try await timePassed { try await Self.askBus(300, in: $0) } == .zero)
    }

    @Test func `no time passes while a program waits for the bus and bluetoothd is away`() async throws {
        let passed = try await timePassed { world in
            try await world.begin(.crash)
            try await Self.askBus(300, in: world)
        }
        #expect(passed == .zero)
    }

    @Test func `no time passes while bluetoothd ends and comes back`() async throws {
        let passed = try await timePassed { world in
            for outage in [Outage.restart, .crash] {
                try await world.begin(outage)
                try await world.end(outage)
            }
        }
        #expect(passed == .zero)
    }

    @Test func `time passes when a program waits for it alone`() async throws {
        let passed = try await timePassed { try await $0.clock.sleep(for: .milliseconds(500)) }
        #expect(passed == .milliseconds(500))
    }
}
#endif
