// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import Testing

/// The calls that the guide for users of BlueCapKit names; `MovingGuideTests` looks for each of them here.
@Suite("The calls of the moving guide", .timeLimit(.minutes(60)))
struct MovingCallsTests {
    private static let service = TISensorTag.AccelerometerService.uuid
    private static let second = Duration.seconds(1)

    @Test func `a central manager has them`() async throws {
        try await Lab.run { lab in
            let manager = CentralManager(backend: lab.radio.central(), configuration: CentralManager.Configuration())
            #expect(try await manager.restoredState() == nil)
            for await state in manager.states() where state == .poweredOn { break }
            try await manager.whenPoweredOn(timeout: Self.second)
            #expect(manager.state == .poweredOn)
            let central = manager
            let scan = central.scan(
                for: [Self.service], options: ScanOptions(), timeout: Self.second, capacity: .newest(10))
            for try await _ in scan {
                #expect(central.isScanning)
                break
            }
            let peripheral = try #require(central.peripherals.first)
            let identifier = peripheral.identifier
            #expect(central.peripheral(withIdentifier: identifier) === peripheral)
            #expect(central.services.isEmpty)
            let known = try await central.retrievePeripherals(withIdentifiers: [identifier], timeout: Self.second)
            #expect(known.count == 1)
            _ = try await central.retrieveConnectedPeripherals(withServices: [], timeout: Self.second)
            #expect(await central.disconnectAllPeripherals(timeout: Self.second))
            #expect(await central.removePeripheral(withIdentifier: identifier, timeout: Self.second))
            #expect(await central.removeAllPeripherals(timeout: Self.second))
            #expect(await manager.reset(timeout: Self.second))
            await manager.invalidate()
        }
    }

    @Test func `a peripheral has them`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let peripheral = try await central.firstDiscovery(for: [Self.service], timeout: .seconds(10)).peripheral
            let events = peripheral.connectionEvents()
            peripheral.reconnectPolicy = .never
            try await peripheral.connect(timeout: Self.second)
            try await peripheral.reconnect(after: .zero)
            for await event in events where event == .connected { break }
            let visit: @Sendable (Peripheral) async throws -> String = { $0.displayName }
            let name = try await peripheral.stayConnected(.never, timeout: Self.second, discovering: nil, visit)
            #expect(name == peripheral.name)
            try await peripheral.connect(timeout: Self.second)
            #expect(peripheral.state == .connected)
            #expect(peripheral.advertisements.localName == name)
            #expect(peripheral.rssi != nil)
            _ = try await peripheral.readRSSI(timeout: Self.second)
            for await _ in peripheral.rssiUpdates(every: Self.second, capacity: .newest(1)) { break }
            let services = try await peripheral.discoverServices(nil, timeout: Self.second)
            #expect(services.count == peripheral.services.count)
            let service = try peripheral.service(Self.service)
            _ = try await service.discoverCharacteristics(nil, timeout: Self.second)
            try await peripheral.discover([Self.service], timeout: Self.second)
            #expect(await peripheral.disconnect(timeout: Self.second))
            let statistics = peripheral.statistics
            #expect(statistics.connectedAt != nil && statistics.disconnectedAt != nil)
            #expect(statistics.timeoutCount == 0 && statistics.disconnectionCount == 0)
            #expect(statistics.attemptCount == statistics.connectionCount)
            #expect(statistics.connectedDuration <= statistics.finishedConnectedDuration)
            #expect(statistics.cumulativeConnectedDuration >= statistics.finishedConnectedDuration)
            #expect(statistics.cumulativeDisconnectedDuration >= .zero)
            #expect(peripheral.discoveredAt <= lab.radio.clock.date)
            #expect(await peripheral.terminate(timeout: Self.second))
            await central.invalidate()
        }
    }

    @Test func `a discovered characteristic has them`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let peripheral = try await lab.connect(central)
            let service = try peripheral.service(Self.service)
            let characteristic = try peripheral.characteristic(Enabled.uuid)
            #expect(service.characteristics.contains { $0 === characteristic })
            #expect(service.characteristics(withUUID: Enabled.uuid).count == 1)
            #expect(characteristic.properties.contains(.read) && characteristic.propertyEnabled(.read))
            #expect(characteristic.canRead && characteristic.canWrite && !characteristic.canNotify)
            #expect(!characteristic.isNotifying)
            try await characteristic.write([1], kind: .withResponse, timeout: Self.second)
            #expect(try await characteristic.read(timeout: Self.second) == [1])
            #expect(characteristic.value == [1])
            try await characteristic.write(stringValue: ["Unknown": "00"], kind: .withResponse, timeout: Self.second)
            #expect(try await characteristic.read() == [0])
            #expect(characteristic.stringValue == ["Unknown": "00"] && characteristic.stringValues.isEmpty)
            #expect(characteristic.profile.stringValue([1]) == ["Unknown": "01"])
            #expect(characteristic.profile.bytes(fromString: ["Unknown": "01"]) == [1])
            let pending = await characteristic.pendingReadCount
            let pendingWrites = await characteristic.pendingWriteCount
            #expect(pending == 0 && pendingWrites == 0)
            let typed = try peripheral.characteristic(Enabled.self)
            try await typed.write(.yes)
            #expect(try await typed.read() == .yes)
            let data = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
            for try await _ in try await data.notifications(capacity: .newest(10)) { break }
            try await data.startNotifying()
            try await data.stopNotifying()
            await central.invalidate()
        }
    }

    @Test func `a peripheral manager has them`() async throws {
        try await Lab.run { lab in
            let backend = lab.radio.peripheral(address: "C0:DE:00:00:00:78")
            let manager = PeripheralManager(backend: backend, configuration: PeripheralManager.Configuration())
            try await manager.whenPoweredOn(timeout: Self.second)
            let service = MutableService(profile: ConfiguredServiceProfile<AccelerometerService>())
            service.characteristicsFromProfiles()
            service.characteristics = MutableCharacteristic.withProfiles([ValueCharacteristicProfile<Enabled>()])
            let characteristic = try #require(service.characteristics.first)
            #expect(characteristic.propertyEnabled(.read) && characteristic.permissionEnabled(.readable))
            #expect(characteristic.value == [0])
            try await manager.add(service, timeout: Self.second)
            let other = MutableService(uuid: Lab.service)
            other.characteristics = [
                MutableCharacteristic(profile: StringCharacteristicProfile<SerialNumber>(encoding: .utf8)),
                MutableCharacteristic(uuid: "FFF1", properties: [.notify], permissions: [.readable], value: [1]),
            ]
            try await manager.add(other, timeout: Self.second)
            #expect(manager.services.count == 2 && manager.characteristics.count == 3)
            #expect(manager.services(withUUID: Lab.service).count == 1)
            let notified = try #require(manager.characteristics(withUUID: "FFF1").first)
            notified.updatePolicy = .all
            try notified.update([2])
            try notified.update(stringValue: ["Unknown": "03"])
            #expect(notified.subscribers.isEmpty && !notified.isUpdating && notified.pendingUpdates == [[2], [3]])
            try await manager.startAdvertising("Box", serviceUUIDs: [Lab.service], timeout: Self.second)
            #expect(manager.isAdvertising)
            try await lab.during {
                var isFirst = true
                for await request in characteristic.writeRequests(capacity: .newest(10)) {
                    if isFirst { request.accept() } else { request.respond(.valueNotAllowed) }
                    isFirst = false
                }
            } _: {
                let remote = try await lab.connect(lab.central(), to: Lab.service).characteristic(Enabled.uuid)
                try await remote.write([1])
                await #expect(throws: CharacteristicError.att(.valueNotAllowed)) { try await remote.write([0]) }
            }
            try await manager.stopAdvertising(timeout: Self.second)
            try await manager.remove(other, timeout: Self.second)
            try await manager.removeAllServices(timeout: Self.second)
            await manager.invalidate()
        }
    }

    @Test func `profiles and values have them`() async throws {
        var profiles = ProfileManager.all
        var serviceProfile = ServiceProfile(uuid: Lab.service)
        serviceProfile.addCharacteristic(ValueCharacteristicProfile<Enabled>())
        #expect(serviceProfile.characteristics.count == 1)
        #expect(serviceProfile.characteristicProfile(withUUID: Enabled.uuid).name == Enabled.name)
        profiles.addService(serviceProfile)
        #expect(profiles.services.contains { $0.uuid == Lab.service })
        #expect(profiles.service(withUUID: Lab.service)?.uuid == Lab.service)
        let bytes = SerDe.serialize(UInt16(0x0102))
        let number: UInt16 = try SerDe.deserialize(bytes)
        #expect(number == 0x0102)
        try await Lab.run { lab in
            let central = try await lab.central()
            let characteristicProfile = ValueCharacteristicProfile<Enabled>()
            let discovered = await characteristicProfile.afterDiscovered(by: central)
            _ = try await lab.connect(central)
            for await characteristic in discovered {
                #expect(characteristic.uuid == Enabled.uuid)
                break
            }
            await central.invalidate()
        }
    }

    @Test func `a manager of beacons has them`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let beacons = BeaconManager(central: central)
            let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"
            var region = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1, minor: 7)
            region.entryRSSI = -75
            region.exitDelay = .seconds(20)
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            try await manager.startAdvertising(region, measuredPower: -59, timeout: Self.second)
            try await manager.stopAdvertising()
            try await manager.startAdvertising(region.advertisement(measuredPower: -59))
            for await state in beacons.monitoring(region) where state == .inside { break }
            for await seen in beacons.ranging(region) where !seen.isEmpty {
                #expect(beacons.isRanging && beacons.isRanging("shop") && beacons.rangedRegions == [region])
                break
            }
            let monitoring = beacons.monitoring(region)
            #expect(beacons.isMonitoring && beacons.isMonitoring("shop") && beacons.monitoredRegions == [region])
            #expect(beacons.regions == [region] && beacons.region(withIdentifier: "shop") == region)
            #expect(await beacons.requestState(for: region) == .inside)
            beacons.stopMonitoring("shop")
            beacons.stopMonitoringAllRegions()
            beacons.stopRanging("shop")
            beacons.stopRangingAllRegions()
            for await _ in monitoring {}
            #expect(central.state == .poweredOn)
            await central.invalidate()
            await manager.invalidate()
        }
    }

    @Test func `errors have them`() {
        let failure = RestorationFailure(.unusable, location: "here")
        #expect(CentralManagerError.restoreFailed(failure) != CentralManagerError.poweredOff)
        #expect(PeripheralManagerError.restoreFailed(failure) != .poweredOff)
    }
}
