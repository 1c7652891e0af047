// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct DiscoveryTests {
        @Test func `what is asked for while a scan waits for the kernel is set once it runs`() async throws {
            let stage = try await Stage()
            await stage.stub.run { _ = $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.scan(ScanRequest()) }
            for _ in 0..<2 {
                try await stage.stub.call("StartDiscovery").fail("InProgress", "Operation already in progress")
            }
            _ = try await stage.stub.call("StopDiscovery")
            await stage.clock.waitForTimer(within: .milliseconds(500))
            await stage.command { $0.scan(ScanRequest(allowsDuplicates: true)) }
            stage.clock.advance(by: .milliseconds(500))
            try await stage.stub.call("StartDiscovery").reply()
            for isDelayed in [true, false] {
                guard case .sightingsCoalesced(isDelayed) = try await stage.events.next() else {
                    throw Unexpected("not told of the wait")
                }
            }
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.settle()
            await stage.command { $0.scan(nil) }
            _ = try await stage.stub.call("StopDiscovery")
            let calls = await stage.stub.run { $0.log.filter { $0.hasPrefix("S") } }
            let (set, start, stop) = ("SetDiscoveryFilter hci0", "StartDiscovery hci0", "StopDiscovery hci0")
            try #require(calls == [set, start, stop, start, start, set, stop])
            #expect(try await filter(stage)["DuplicateData"] == nil)
            #expect(try await filter(stage)["DuplicateData"] == .bool(true))
        }

        private func filter(_ stage: Stage) async throws -> StubBlueZ.Properties {
            try #require(try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue)
        }

        // MARK: After the radio was off

        @Test
        func `the first scan waits for the kernel on an adapter that is switched on when the manager is there`()
            async throws
        {
            let stage = try await Stage(isOn: false)
            await stage.stub.run { $0.add(StubBlueZ.adapter, Stage.adapter(isPowered: false)) }
            try await stage.stub.start()
            while try await stage.events.state() != .poweredOff {}
            await stage.stub.run {
                $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(true)])
            }
            try await #expect(stage.events.state() == .poweredOn)
            try await scansAfterGrace(stage)
        }

        @Test func `the first scan waits for the kernel on an adapter that is plugged in`() async throws {
            let stage = try await Stage(isOn: false)
            try await stage.stub.start()
            while try await stage.events.change().1?.name != "org.bluez.Error.NoSuchAdapter" {}
            await stage.stub.run { $0.add(StubBlueZ.adapter, Stage.adapter()) }
            try await #expect(stage.events.state() == .poweredOn)
            try await scansAfterGrace(stage)
        }

        @Test(arguments: [false, true])
        func `the first scan waits for the kernel when bluetoothd has started anew`(isFirst: Bool) async throws {
            let stage = try await Stage(isOn: !isFirst)
            if isFirst {
                try await #expect(stage.events.state() == .unsupported)
                await stage.stub.run { $0.add(StubBlueZ.adapter, Stage.adapter()) }
            } else {
                await stage.command { $0.scan(ScanRequest()) }
                _ = try await stage.stub.call("StartDiscovery")
                await stage.stub.kill()
                try await #expect(stage.events.state() == .resetting)
            }
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
            try await scansAfterGrace(stage)
        }

        /// Scans, and sees that the discovery begins a tenth of a second later.
        private func scansAfterGrace(_ stage: Stage) async throws {
            let before = await stage.stub.run { $0.log }
            await stage.command { $0.scan(ScanRequest()) }
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            for _ in 0..<4 { try await stage.settle() }
            try #require(await stage.stub.run { $0.log } == before)
            await stage.passGrace()
            _ = try await stage.stub.call("StartDiscovery")
            // The next one is as quick as ever.
            await stage.command { $0.scan(nil) }
            _ = try await stage.stub.call("StopDiscovery")
            await stage.command { $0.scan(ScanRequest()) }
            _ = try await stage.stub.call("StartDiscovery")
        }
    }
}
#endif
