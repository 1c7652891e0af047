// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct ScanningTests {
        private func scanning(_ request: ScanRequest = ScanRequest()) async throws -> Stage {
            let stage = try await Stage()
            await stage.command { $0.scan(request) }
            _ = try await stage.stub.call("StartDiscovery")
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            // The first call handles the answer, the second the messages that follow from it.
            for _ in 0..<2 { try await stage.settle() }
            await stage.stub.run { $0.remove(Stage.device) }
            return stage
        }

        private func sighting(_ stage: Stage) async throws -> Sighting {
            let event = try await stage.events.next()
            guard case .sighted(let sighting) = event else { throw Unexpected("\(event)") }
            return sighting
        }

        @Test func `a scan sets its filter, then starts`() async throws {
            let stage = try await scanning(ScanRequest(allowsDuplicates: true))
            #expect(
                await stage.stub.run { $0.log }
                    == ["GetDiscoveryFilters hci0", "SetDiscoveryFilter hci0", "StartDiscovery hci0"])
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(filter == ["Transport": .string("le"), "RSSI": .int16(-127), "DuplicateData": .bool(true)])
        }

        @Test func `filter keys that this bluetoothd does not list are not sent`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.filterKeys = ["Transport"] }
            await stage.command { $0.scan(ScanRequest(allowsDuplicates: true)) }
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(filter == ["Transport": .string("le")])
        }

        @Test
        func `a device that appears with a signal strength is sighted; one that BlueZ only remembers is not`()
            async throws
        {
            let stage = try await scanning()
            await stage.stub.run { stub in
                stub.add(Stage.device, Stage.deviceProperties())
                stub.add(
                    StubBlueZ.adapter + "/dev_C0_00_00_00_00_02",
                    Stage.deviceProperties(address: "C0:00:00:00:00:02", rssi: -60))
            }
            let sighting = try await sighting(stage)
            #expect(sighting.peripheral == "C0:00:00:00:00:02")
            #expect(sighting.rssi == -60)
            #expect(sighting.advertisements.serviceUUIDs == ["180D"])
        }

        @Test func `what a running discovery has received already is sighted when a scan starts`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            try await stage.settle()
            await stage.command { $0.scan(ScanRequest()) }
            #expect(try await sighting(stage).rssi == -60)
        }

        @Test
        func `signal strengths that BlueZ takes off at the end of discovery are no sightings, nor is connecting`()
            async throws
        {
            let stage = try await scanning()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            _ = try await sighting(stage)
            let device = BlueZInterface.device
            await stage.stub.run { stub in
                stub.set(Stage.device, device, ["Connected": .bool(true)])
                stub.set(Stage.device, device, ["UUIDs": .strings([]), "ServicesResolved": .bool(true)])
                stub.set(Stage.device, device, ["Connected": .bool(false), "ServicesResolved": .bool(false)])
                stub.set(Stage.device, device, [:], invalidated: ["TxPower", "RSSI"])
                stub.set(Stage.device, device, ["ManufacturerData": .properties([:])])
            }
            try await stage.settle()
        }

        @Test func `each packet that BlueZ passes on is a sighting, with everything known of the device`() async throws
        {
            let stage = try await scanning()
            await stage.stub.run { stub in
                stub.add(Stage.device, Stage.deviceProperties(rssi: -60))
                stub.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-60)])
                stub.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(127)])
            }
            #expect(try await sighting(stage).rssi == -60)
            #expect(try await sighting(stage).rssi == -60)
            let last = try await sighting(stage)
            #expect(last.rssi == nil)
            #expect(last.name == "Heart")
        }

        @Test(arguments: [nil, "public", "random"])
        func `a sighting has the type of the address where BlueZ says it`(type: String?) async throws {
            let stage = try await scanning()
            var properties = Stage.deviceProperties(rssi: -60)
            properties[BlueZInterface.device]?["AddressType"] = type.map { .string($0) }
            await stage.stub.run { [properties] stub in
                stub.add(Stage.device, properties)
                stub.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-61)])
            }
            for _ in 0..<2 { #expect(try await sighting(stage).hasRandomAddress == type.map { $0 == "random" }) }
        }

        @Test func `what was advertised before is nothing that a device which comes back advertises`() async throws {
            let stage = try await scanning()
            var properties = Stage.deviceProperties(rssi: -60)
            properties[BlueZInterface.device]?["TxPower"] = .int16(4)
            await stage.stub.run { [properties] in $0.add(Stage.device, properties) }
            #expect(try await sighting(stage).advertisements.txPower == 4)
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-61)], invalidated: ["TxPower"])
            }
            #expect(try await sighting(stage).advertisements.txPower == nil)
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["TxPower": .int16(5)])
                stub.remove(Stage.device)
                stub.add(Stage.device, Stage.deviceProperties(rssi: -62))
            }
            #expect(try await sighting(stage).advertisements.txPower == 5)
            #expect(try await sighting(stage).advertisements.txPower == nil)
        }

        @Test func `without a scan nothing is sighted`() async throws {
            let stage = try await scanning()
            await stage.command { $0.scan(nil) }
            _ = try await stage.stub.call("StopDiscovery")
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            try await stage.settle()
        }

        @Test func `two managers share one discovery, which ends with the last`() async throws {
            let stage = try await scanning()
            let other = BlueZCentralBackend(bus: stage.bus.address)
            let log = EventLog()
            await activate(other, stage.clock, log)
            try await #expect(log.state() == .poweredOn)
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            _ = try await sighting(stage)
            await scan(other, ScanRequest())
            guard case .sighted = try await log.next() else { throw Unexpected("no sighting") }
            await stage.command { $0.scan(nil) }
            await scan(other, nil)
            _ = try await stage.stub.call("StopDiscovery")
            let calls = await stage.stub.run { $0.log.filter { $0.hasPrefix("St") } }
            #expect(calls == ["StartDiscovery hci0", "StopDiscovery hci0"])
        }

        @Test(arguments: [true, false])
        func `services are left out by BlueZ only while every manager that scans has it so, whichever came first`(
            isFirst: Bool
        ) async throws {
            let stage = try await Stage(filtersServicesInDaemon: isFirst)
            let other = BlueZCentralBackend(bus: stage.bus.address, filtersServicesInDaemon: !isFirst)
            let log = EventLog()
            await activate(other, stage.clock, log)
            try await #expect(log.state() == .poweredOn)
            await stage.command { $0.scan(ScanRequest(services: ["180D"], allowsDuplicates: true)) }
            #expect((try await filter(stage)["UUIDs"] != nil) == isFirst)
            await scan(other, ScanRequest(services: ["180A"]))
            if isFirst { #expect(try await filter(stage)["UUIDs"] == nil) }
            await stage.command { $0.scan(nil) }
            #expect((try await filter(stage)["UUIDs"] != nil) == !isFirst)
        }

        private func filter(_ stage: Stage) async throws -> StubBlueZ.Properties {
            try #require(try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue)
        }

        private func activate(_ backend: isolated BlueZCentralBackend, _ clock: ManualClock, _ log: EventLog) {
            backend.activate(clock: clock.clock, sink: log.sink)
        }

        private func scan(_ backend: isolated BlueZCentralBackend, _ request: ScanRequest?) { backend.scan(request) }

        @Test func `a new request changes the filter of the discovery that runs`() async throws {
            let stage = try await scanning()
            _ = try await stage.stub.call("SetDiscoveryFilter")
            await stage.command { $0.scan(ScanRequest(allowsDuplicates: true)) }
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect(filter?["DuplicateData"] == .bool(true))
            #expect(await stage.stub.run { $0.log.filter { $0.hasPrefix("St") } } == ["StartDiscovery hci0"])
        }

        @Test func `a discovery of ours that BlueZ still holds is stopped and started anew`() async throws {
            let stage = try await Stage()
            await stage.stub.run { _ = $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.scan(ScanRequest()) }
            try await stage.stub.call("StartDiscovery").fail("InProgress", "Operation already in progress")
            _ = try await stage.stub.call("StopDiscovery")
            try await stage.stub.call("StartDiscovery").reply()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -60)) }
            _ = try await sighting(stage)
        }

        @Test
        func `a kernel that still discovers for a bluetoothd that was killed is waited for, not for ever`() async throws
        {
            let stage = try await Stage()
            await stage.stub.run { _ = $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.scan(ScanRequest()) }
            try await stage.stub.call("StartDiscovery").fail("InProgress", "Operation already in progress")
            for _ in 0..<25 {
                try await stage.stub.call("StartDiscovery").fail("InProgress", "Operation already in progress")
                await stage.clock.waitForTimer(within: .milliseconds(500))
                stage.clock.advance(by: .milliseconds(500))
            }
            try await stage.stub.call("StartDiscovery").fail("InProgress", "Operation already in progress")
            for isDelayed in [true, false] {
                guard case .sightingsCoalesced(isDelayed) = try await stage.events.next() else {
                    throw Unexpected("not told of the wait")
                }
            }
            guard case .scanFailed(.backend(let failure)) = try await stage.events.next() else {
                throw Unexpected("no failure")
            }
            #expect(failure.isTransient)
        }

        @Test
        func `a discovery that BlueZ could not stop is begun and stopped again, and the next scan starts anew`()
            async throws
        {
            let stage = try await scanning()
            await stage.stub.run { _ = $0.accepted.remove("StopDiscovery") }
            await stage.command { $0.scan(nil) }
            try await stage.stub.call("StopDiscovery").fail("InProgress", "Operation already in progress")
            let second = try await stage.stub.call("StopDiscovery")
            await stage.command { $0.scan(ScanRequest()) }
            second.fail("InProgress", "Operation already in progress")
            for _ in 0..<2 { _ = try await stage.stub.call("StartDiscovery") }
            let calls = await stage.stub.run { $0.log.filter { $0.hasPrefix("St") } }
            let (start, stop) = ("StartDiscovery hci0", "StopDiscovery hci0")
            #expect(calls == [start, stop, start, stop, start])
        }

        @Test func `a stop that BlueZ answers with no discovery is a stop: the next scan starts anew`() async throws {
            let stage = try await scanning()
            await stage.stub.run { _ = $0.accepted.remove("StopDiscovery") }
            await stage.command { $0.scan(nil) }
            try await stage.stub.call("StopDiscovery").fail("Failed", "No discovery started")
            await stage.command { $0.scan(ScanRequest()) }
            _ = try await stage.stub.call("StartDiscovery")
            let calls = await stage.stub.run { $0.log.filter { $0.hasPrefix("St") } }
            #expect(calls == ["StartDiscovery hci0", "StopDiscovery hci0", "StartDiscovery hci0"])
        }

        @Test
        func `a scan that cannot start fails with BlueZ's words, on an adapter that is off with that`() async throws {
            for (name, failure) in [("NotReady", OperationFailure.poweredOff), ("Failed", nil)] {
                let stage = try await Stage()
                await stage.stub.run { _ = $0.accepted.remove("StartDiscovery") }
                await stage.command { $0.scan(ScanRequest()) }
                try await stage.stub.call("StartDiscovery").fail(name, "words")
                let event = try await stage.events.next()
                guard case .scanFailed(let found) = event else { throw Unexpected("\(event)") }
                if let failure {
                    #expect(found == failure)
                } else {
                    #expect(found == .backend(BackendFailure(name: "org.bluez.Error.Failed", message: "words")))
                }
            }
        }

        @Test
        func `a scan ends with the power, and a new one starts anew once the kernel has switched the radio on`()
            async throws
        {
            let stage = try await scanning()
            let adapter = BlueZInterface.adapter
            await stage.stub.run { $0.set(StubBlueZ.adapter, adapter, ["Powered": .bool(false)]) }
            try await #expect(stage.events.state() == .poweredOff)
            await stage.stub.run { $0.set(StubBlueZ.adapter, adapter, ["Powered": .bool(true)]) }
            try await #expect(stage.events.state() == .poweredOn)
            await stage.command { $0.scan(ScanRequest()) }
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            for _ in 0..<4 { try await stage.settle() }
            try #require(await stage.stub.run { $0.log.filter { $0.hasPrefix("St") } } == ["StartDiscovery hci0"])
            await stage.passGrace()
            _ = try await stage.stub.call("StartDiscovery")
        }

        @Test
        func `a discovery that starts after the power went and came back is stopped where it is wanted no more`()
            async throws
        {
            let stage = try await Stage()
            await stage.stub.run { _ = $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.scan(ScanRequest()) }
            let start = try await stage.stub.call("StartDiscovery")
            for isPowered in [false, true] {
                await stage.stub.run { stub in
                    stub.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(isPowered)])
                }
                try await #expect(stage.events.state() == (isPowered ? .poweredOn : .poweredOff))
            }
            start.reply()
            _ = try await stage.stub.call("StopDiscovery")
        }

        @Test func `a device keeps its identifier when pairing reveals its identity address`() async throws {
            let stage = try await scanning()
            await stage.stub.run { stub in
                stub.add(Stage.device, Stage.deviceProperties(rssi: -60))
                stub.set(Stage.device, BlueZInterface.device, ["Address": .string("D0:00:00:00:00:09")])
                stub.set(Stage.device, BlueZInterface.device, ["RSSI": .int16(-50)])
            }
            #expect(try await sighting(stage).peripheral == Stage.id)
            #expect(try await sighting(stage).peripheral == Stage.id)
            let known = try await stage.perform(.retrieve(["D0:00:00:00:00:09"]))
            guard case .success(.peripherals(let peripherals)) = known else { throw Unexpected("\(known)") }
            #expect(peripherals.map(\.id) == ["D0:00:00:00:00:09"])
        }
    }
}
#endif
