// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Scanning", .timeLimit(.minutes(60)))
struct ScanningTests {
    static let battery: BluetoothUUID = "180F"
    static let heart: BluetoothUUID = "180D"

    @Test func `a scan starts with its loop and stops when the loop is left`() async throws {
        try await World.run { world in
            let scan = world.central.scan(for: [Self.battery])
            await world.idle()
            #expect(await world.backend.scans == [])
            let call = await world.start { for try await _ in scan { break } }
            #expect(await world.backend.scans == [ScanRequest(services: [Self.battery], allowsDuplicates: true)])
            #expect(world.central.isScanning)
            await world.sight(services: [Self.battery])
            #expect(call.value != nil)
            #expect(await world.backend.scans.last == .some(nil))
            #expect(await world.backend.scans.count == 2)
            #expect(!world.central.isScanning)
        }
    }

    @Test func `a scan and its sightings are described in a line`() async throws {
        try await World.run { world in
            let scan = world.central.scan(for: [Self.heart, Self.battery])
            #expect("\(scan)" == "scan for 180D, 180F")
            #expect("\(world.central.scan())" == "scan for all")
            let sightings = Recorder(scan, on: world)
            await world.idle()
            await world.sight(name: "Strap", services: [Self.heart])
            #expect(sightings.all.map(\.description) == ["discovered Strap (\(PeerIdentifier.one)), -50 dBm"])
        }
    }

    @Test
    func `two scans share the radio with their filters merged, and the one that is left goes on alone`() async throws {
        try await World.run { world in
            let first = Recorder(world.central.scan(for: [Self.battery], options: .init(lostAfter: nil)), on: world)
            await world.idle()
            let second = Recorder(world.central.scan(for: [Self.heart], options: .init(lostAfter: nil)), on: world)
            await world.idle()
            let all = Recorder(world.central.scan(options: .init(allowsDuplicates: true, lostAfter: nil)), on: world)
            await world.idle()
            all.cancel()
            await world.idle()
            first.cancel()
            await world.idle()
            second.cancel()
            await world.idle()
            #expect(
                await world.backend.scans == [
                    ScanRequest(services: [Self.battery]), ScanRequest(services: [Self.battery, Self.heart]),
                    ScanRequest(allowsDuplicates: true), ScanRequest(services: [Self.battery, Self.heart]),
                    ScanRequest(services: [Self.heart]), nil,
                ])
        }
    }

    @Test func `a second scan that asks for nothing new leaves the radio alone`() async throws {
        try await World.run { world in
            let first = Recorder(world.central.scan(), on: world)
            await world.idle()
            let second = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.sight()
            #expect(await world.backend.scans.count == 1)
            #expect(first.all.count == 1)
            #expect(second.all.count == 1)
        }
    }

    @Test func `each scan gets only what it asks for, whatever the backend delivers`() async throws {
        try await World.run { world in
            let battery = Recorder(world.central.scan(for: [Self.battery]), on: world)
            let heart = Recorder(world.central.scan(for: [Self.heart]), on: world)
            await world.idle()
            await world.sight(.one, services: [Self.battery])
            await world.sight(.two, services: [Self.heart])
            await world.sight(.three)
            #expect(battery.all.map(\.peripheral.identifier) == [.one])
            #expect(heart.all.map(\.peripheral.identifier) == [.two])
            #expect(world.central.peripherals.map(\.identifier) == [.one, .two])
        }
    }

    @Test func `a service counts where it is advertised by its data or in the overflow area`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(for: [Self.battery]), on: world)
            await world.idle()
            let data = PeripheralAdvertisements(serviceData: [Self.battery: [1]])
            let overflow = PeripheralAdvertisements(overflowServiceUUIDs: [Self.battery])
            let solicited = PeripheralAdvertisements(solicitedServiceUUIDs: [Self.battery])
            await world.emit(.sighted(Sighting(peripheral: .one, advertisements: data, rssi: nil)))
            await world.emit(.sighted(Sighting(peripheral: .two, advertisements: overflow, rssi: nil)))
            await world.emit(.sighted(Sighting(peripheral: .three, advertisements: solicited, rssi: nil)))
            #expect(scan.all.map(\.peripheral.identifier) == [.one, .two])
        }
    }

    @Test func `sightings below the RSSI threshold are left out, unmeasured ones pass`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(options: .init(minimumRSSI: -60)), on: world)
            await world.idle()
            await world.sight(.one, rssi: -61)
            await world.sight(.two, rssi: -60)
            await world.sight(.three, rssi: nil)
            #expect(scan.all.map(\.peripheral.identifier) == [.two, .three])
        }
    }

    @Test func `prefixes of name and address select, the address without regard to case`() async throws {
        try await World.run { world in
            let named = Recorder(world.central.scan(options: .init(namePrefix: "Sen")), on: world)
            let addressed = Recorder(world.central.scan(options: .init(addressPrefix: "c0:de:00:00:00:02")), on: world)
            await world.idle()
            await world.sight(.one, name: "Sensor")
            await world.sight(.two, name: "sensor")
            await world.sight(.three)
            await world.emit(
                .sighted(
                    Sighting(peripheral: "AA", name: "Sense", advertisements: PeripheralAdvertisements(), rssi: nil)))
            #expect(named.all.map(\.peripheral.identifier) == [.one, "AA"])
            #expect(addressed.all.map(\.peripheral.identifier) == [.two])
        }
    }

    @Test func `the first sighting is a discovery, a change an update, a repetition nothing`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.sight(name: "a")
            await world.sight(name: "a", rssi: -40)
            await world.sight(name: "b", rssi: -41)
            #expect(scan.all.map(\.kind) == [.discovered, .updated])
            #expect(scan.all.map(\.rssi) == [-50, -41])
            #expect(scan.all.first?.peripheral.name == "b")
            #expect(scan.all.first?.peripheral.rssi == -41)
        }
    }

    @Test func `with duplicates allowed every sighting is reported`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(options: .init(allowsDuplicates: true)), on: world)
            await world.idle()
            for _ in 0..<3 { await world.sight() }
            #expect(scan.all.map(\.kind) == [.discovered, .updated, .updated])
            #expect(Set(scan.all.map(\.peripheral)).count == 1)
        }
    }

    @Test
    func `a peripheral that is not sighted for long enough is lost, and discovered when it is back`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(options: .init(lostAfter: .seconds(10))), on: world)
            await world.idle()
            await world.sight(.one)
            await world.advance(by: .seconds(6))
            await world.sight(.one)
            await world.sight(.two)
            await world.advance(by: .milliseconds(9999))
            #expect(scan.all.map(\.kind) == [.discovered, .discovered])
            await world.advance(by: .milliseconds(1))
            #expect(scan.all.map(\.kind) == [.discovered, .discovered, .lost, .lost])
            #expect(scan.all.last?.date == Timestamp(sinceEpoch: .seconds(6)))
            await world.sight(.one)
            #expect(scan.all.last?.kind == .discovered)
        }
    }

    @Test func `while sightings are coalesced nothing is lost, and afterwards each has its time anew`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(options: .init(lostAfter: .seconds(10))), on: world)
            await world.idle()
            await world.sight()
            await world.advance(by: .seconds(9))
            await world.emit(.sightingsCoalesced(true))
            await world.sight()
            #expect(world.clock.timerCount == 0)
            await world.advance(by: .seconds(60))
            await world.emit(.sightingsCoalesced(false))
            await world.advance(by: .seconds(9))
            #expect(scan.all.map(\.kind) == [.discovered])
            await world.advance(by: .seconds(1))
            #expect(scan.all.map(\.kind) == [.discovered, .lost])
        }
    }

    @Test func `without a time to lose them, peripherals are never lost and no timer runs`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(options: .init(lostAfter: nil)), on: world)
            await world.idle()
            await world.sight()
            #expect(world.clock.timerCount == 0)
            await world.advance(by: .seconds(3600))
            #expect(scan.all.map(\.kind) == [.discovered])
        }
    }

    @Test func `over all scans a peripheral is reported lost once, when the last scan has lost it`() async throws {
        try await World.run { world in
            let all = Recorder(world.central.discoveries(), on: world)
            let short = Recorder(world.central.scan(options: .init(lostAfter: .seconds(5))), on: world)
            let long = Recorder(world.central.scan(options: .init(lostAfter: .seconds(10))), on: world)
            await world.idle()
            await world.sight()
            await world.advance(by: .seconds(5))
            #expect(short.all.map(\.kind) == [.discovered, .lost])
            #expect(all.all.map(\.kind) == [.discovered])
            await world.advance(by: .seconds(5))
            #expect(long.all.map(\.kind) == [.discovered, .lost])
            #expect(all.all.map(\.kind) == [.discovered, .lost])
        }
    }

    @Test func `a timeout without a sighting is an error and stops the radio`() async throws {
        try await World.run { world in
            _ = await world.meet(.two)
            let scan = Recorder(world.central.scan(timeout: .seconds(5)), on: world)
            await world.advance(by: .milliseconds(4999))
            #expect(!scan.hasEnded)
            await world.advance(by: .milliseconds(1))
            #expect(scan.error as? CentralManagerError == .serviceScanTimeout)
            #expect(await world.backend.scans.last == .some(nil))
        }
    }

    @Test func `a timeout after a sighting ends quietly and stops the radio`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(timeout: .seconds(5)), on: world)
            await world.idle()
            await world.sight()
            await world.advance(by: .seconds(5))
            #expect(scan.hasEnded)
            #expect(scan.error == nil)
            #expect(scan.all.count == 1)
            #expect(await world.backend.scans.last == .some(nil))
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `the timer of a scan that was left does not end a later one`() async throws {
        try await World.run { world in
            let first = Recorder(world.central.scan(options: .init(lostAfter: nil), timeout: .seconds(5)), on: world)
            await world.idle()
            first.cancel()
            await world.idle()
            let second = Recorder(world.central.scan(options: .init(lostAfter: nil)), on: world)
            await world.advance(by: .seconds(60))
            #expect(first.error == nil)
            #expect(!second.hasEnded)
        }
    }

    @Test
    func `of peripherals whose sightings were not taken only the newest is kept, as a discovery`() async throws {
        try await World.run { world in
            var iterator = world.central.scan().makeAsyncIterator()
            let gate = await world.start { [scan = world.central.scan()] in
                for try await discovery in scan { return discovery }
                throw CancellationError()
            }
            await world.sight(.three)
            #expect(gate.isDone)
            let run = iterator.run
            let first = await world.start { try await run.next() }
            await world.sight(.three)
            #expect(first.value??.peripheral.identifier == .three)
            await world.sight(.one, name: "a")
            await world.sight(.two)
            await world.sight(.one, name: "b")
            let next = try await iterator.next()
            #expect(next?.peripheral.identifier == .one)
            #expect(next?.kind == .discovered)
            #expect(next?.advertisements.localName == "b")
            let last = try await iterator.next()
            #expect(last?.peripheral.identifier == .two)
        }
    }

    @Test func `a scan for a program on its executor keeps all sightings of a peripheral`() async throws {
        try await World.run { world in
            var scan = world.central.scan(options: .init(allowsDuplicates: true))
            scan.keepsAll = true
            var iterator = scan.makeAsyncIterator()
            let run = iterator.run
            let first = await world.start { try await run.next() }
            for name in ["a", "b", "c"] { await world.sight(.one, name: name) }
            #expect(first.value??.kind == .discovered)
            for name in ["b", "c"] {
                let next = try await iterator.next()
                #expect(next?.advertisements.localName == name)
            }
        }
    }

    @Test func `what a bounded scan drops is counted over its iterations`() async throws {
        try await World.run { world in
            let scan = world.central.scan(capacity: .newest(1))
            for round in 1...2 {
                var iterator = scan.makeAsyncIterator()
                let run = iterator.run
                let first = await world.start { try await run.next() }
                await world.sight("AA")
                #expect(first.isDone)
                for number in 0..<3 { await world.sight(PeerIdentifier("B\(number)")) }
                _ = try await iterator.next()
                #expect(scan.droppedCount == 2 * round)
            }
        }
    }

    @Test(arguments: [
        (ManagerState.poweredOff, CentralManagerError.poweredOff), (.resetting, .backend(.resetting)),
        (.unknown, .backend(.unknownState)), (.unsupported, .unsupported), (.unauthorized, .unauthorized),
    ])
    func `a scan while the radio is not on is refused with the reason`(
        _ state: ManagerState, _ error: CentralManagerError
    ) async throws {
        try await World.run(state: state) { world in
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            #expect(scan.error as? CentralManagerError == error)
            #expect(await world.backend.scans == [])
        }
    }

    @Test func `the radio going off ends every scan, with what was sighted taken first`() async throws {
        try await World.run { world in
            var slow = world.central.scan().makeAsyncIterator()
            let run = slow.run
            let first = await world.start { try await run.next() }
            let quick = Recorder(world.central.scan(timeout: .seconds(5)), on: world)
            await world.idle()
            await world.sight(.one)
            #expect(first.isDone)
            await world.sight(.two)
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(quick.error as? CentralManagerError == .poweredOff)
            #expect(!world.central.isScanning)
            let buffered = try await slow.next()
            #expect(buffered?.peripheral.identifier == .two)
            await #expect(throws: CentralManagerError.poweredOff) { try await run.next() }
            let afterwards = try await slow.next()
            #expect(afterwards == nil)
            #expect(await world.backend.scans.count == 1)
            await world.emit(.stateChanged(.poweredOn, nil))
            let later = Recorder(world.central.scan(), on: world)
            await world.idle()
            #expect(!later.hasEnded)
            #expect(await world.backend.scans.count == 2)
        }
    }

    @Test func `a cancelled task's scan ends quietly and stops the radio`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            scan.cancel()
            await world.idle()
            #expect(scan.hasEnded)
            #expect(scan.error == nil)
            #expect(await world.backend.scans.last == .some(nil))
        }
    }

    @Test func `a task that was cancelled before does not touch the radio`() async throws {
        try await World.run { world in
            let call = Call(on: world.executor) {
                for try await _ in world.central.scan() {}
            }
            call.cancel()
            await world.idle()
            #expect(call.value != nil)
            #expect(await world.backend.scans == [])
        }
    }

    @Test func `a scan that the platform ends fails with its reason, and the next one starts anew`() async throws {
        try await World.run { world in
            let failure = BackendFailure(name: "org.bluez.Error.Failed", message: "no")
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.emit(.scanFailed(.backend(failure)))
            #expect(scan.error as? CentralManagerError == .backend(failure))
            #expect(!world.central.isScanning)
            let next = Recorder(world.central.scan(), on: world)
            await world.idle()
            #expect(!next.hasEnded)
            #expect(await world.backend.scans.count == 2)
        }
    }

    @Test func `a mode that the platform refuses ends the scans that asked for it, and no other`() async throws {
        try await World.run { world in
            let failure = BackendFailure(name: "Management.NotPermitted", message: "no")
            let every = Recorder(world.central.scan(options: ScanOptions(mode: .everyPacket)), on: world)
            let plain = Recorder(world.central.scan(), on: world)
            await world.idle()
            let scans = await world.backend.scans
            #expect(scans == [ScanRequest(allowsDuplicates: true, modes: [.everyPacket])])
            await world.emit(.scanModeRefused(.everyPacket, failure))
            #expect(every.error as? CentralManagerError == .scanModeNotSupported(.everyPacket, failure))
            #expect(!plain.hasEnded)
            #expect(await world.backend.scans == scans + [ScanRequest(allowsDuplicates: true)])
        }
    }

    @Test func `a scan for every packet reports one that repeats the last`() async throws {
        try await World.run { world in
            let every = Recorder(world.central.scan(options: ScanOptions(mode: .everyPacket)), on: world)
            let plain = Recorder(world.central.scan(), on: world)
            await world.idle()
            for _ in 0..<3 {
                await world.emit(
                    .sighted(Sighting(peripheral: .one, advertisements: PeripheralAdvertisements(), rssi: -50)))
            }
            await world.idle()
            #expect(every.all.count == 3)
            #expect(plain.all.count == 1)
        }
    }

    @Test func `the first discovery ends its scan, by sighting, timeout and cancellation`() async throws {
        try await World.run { world in
            let found = await world.start { try await world.central.firstDiscovery(timeout: .seconds(5)) }
            await world.sight()
            #expect(found.value?.peripheral.identifier == .one)
            #expect(await world.backend.scans.last == .some(nil))
            let late = await world.start { try await world.central.firstDiscovery(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(late.error as? CentralManagerError == .serviceScanTimeout)
            let cancelled = await world.start { try await world.central.firstDiscovery() }
            await world.cancel(cancelled)
            #expect(cancelled.error as? CentralManagerError == .cancelled)
            #expect(await world.backend.scans.last == .some(nil))
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `sightings of all scans come to the manager's stream, once each`() async throws {
        try await World.run { world in
            let all = Recorder(world.central.discoveries(), on: world)
            await world.sight(.three)
            let first = Recorder(world.central.scan(for: [Self.battery]), on: world)
            let second = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.sight(.one, services: [Self.battery])
            await world.sight(.two)
            #expect(all.all.map(\.peripheral.identifier) == [.one, .two])
            #expect(first.all.count == 1)
            #expect(second.all.count == 2)
        }
    }
}
