// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Callbacks with values that no documentation allows, given to the delegates as CoreBluetooth would: nothing traps,
/// and each ends in a typed result, or is left out and counted.
@Suite(.timeLimit(.minutes(60)))
struct BadInputTests {
    // MARK: Sightings and restoration

    /// Values of the wrong class for any key.
    private static let strange: [@Sendable () -> Any] = [
        { NSNull() }, { NSNumber(value: -7) }, { NSString(string: "text") }, { NSArray(array: [NSNull(), "text"]) },
        { NSDictionary() }, { NSData() }, { NSData(data: Data([1])) }, { NSDate() },
        { NSDictionary(dictionary: ["text": NSNumber(value: 1)]) }, { NSArray(array: [CBUUID(string: "180F"), 1]) },
    ]

    /// Runs `body` with a seam that scans.
    private func scanning(_ body: @escaping @Sendable (Seam) async throws -> Void) async throws {
        try await StrapScene.run { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            try await body(seam)
            await seam.backend.invalidate()
        }
    }

    @Test func `B5: values of the wrong class in an advertisement are left out`() async throws {
        try await scanning { seam in
            let keys = [
                CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataOverflowServiceUUIDsKey,
                CBAdvertisementDataSolicitedServiceUUIDsKey, CBAdvertisementDataServiceDataKey,
                CBAdvertisementDataManufacturerDataKey, "unknown",
            ]
            let before = seam.sightings.count
            await seam.backend.call { delegate, manager in
                let peripheral = manager.object(PeerIdentifier("strange"))
                for make in Self.strange {
                    let data = Dictionary(uniqueKeysWithValues: keys.map { ($0, make()) })
                    delegate.centralManager(
                        manager, didDiscover: peripheral, advertisementData: data, rssi: NSNumber(value: -50))
                }
                for key in [CBAdvertisementDataLocalNameKey, CBAdvertisementDataTxPowerLevelKey] {
                    delegate.centralManager(
                        manager, didDiscover: peripheral, advertisementData: [key: NSArray()],
                        rssi: NSNumber(value: 127))
                }
            }
            let seen = seam.sightings.dropFirst(before).filter { $0.name == nil && $0.advertisements.localName == nil }
            #expect(seen.count == Self.strange.count + 2)
            #expect(seen.allSatisfy { $0.advertisements == PeripheralAdvertisements() })
        }
    }

    @Test func `B4: a strength of 127 is none, and others that no radio measures do no harm`() async throws {
        try await scanning { seam in
            await seam.backend.call { delegate, manager in
                let peripheral = manager.object(PeerIdentifier("strange"))
                for value in [127, Int.min, Int.max, 0] {
                    delegate.centralManager(
                        manager, didDiscover: peripheral, advertisementData: [:], rssi: NSNumber(value: value))
                }
            }
            let found = seam.sightings.filter { $0.advertisements == PeripheralAdvertisements() }.map(\.rssi)
            #expect(found == [nil, Int.min, Int.max, 0])
        }
    }

    @Test func `R3: values of the wrong class in what is restored are left out`() async throws {
        for make in Self.strange {
            let central = CoreBluetoothCentralBackend()
            await central.restore(strange: make)
            #expect(await central.statistics == CoreBluetoothStatistics())
            let peripheral = CoreBluetoothPeripheralBackend()
            await peripheral.restore(strange: make)
            #expect(await peripheral.statistics == CoreBluetoothStatistics())
        }
    }

    // MARK: The database

    /// Runs `body` with a seam that is connected to the strap and has discovered it.
    private func connected(
        _ body:
            @escaping @Sendable (
                StrapScene, Seam, _ service: AttributeID, _ level: AttributeID
            ) async throws -> Void
    ) async throws {
        try await StrapScene.run { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            #expect(try await scene.world.wait { !seam.sightings.isEmpty })
            await seam.backend.scan(nil)
            #expect(try await seam.connect(scene.identifier))
            let found = try await seam.discover(scene.identifier)
            let (service, characteristics) = try #require(found.first { $0.key.uuid == "180F" })
            try await body(scene, seam, service.id, try #require(characteristics.first).id)
            await seam.backend.invalidate()
        }
    }

    @Test func `D1: lists that are nil without an error are empty`() async throws {
        try await connected { scene, seam, service, level in
            // Nobody but these callbacks answers.
            scene.world.host.faults = [.silentDiscovery]
            async let services = seam.ask(.discoverServices(scene.identifier, nil))
            async let included = seam.ask(.discoverIncludedServices(scene.identifier, service: service, nil))
            async let characteristics = seam.ask(.discoverCharacteristics(scene.identifier, service: service, nil))
            async let descriptors = seam.ask(.discoverDescriptors(scene.identifier, characteristic: level))
            try await scene.world.elapse(.seconds(1))
            await seam.backend.call { delegate, manager in
                let peripheral = manager.connected
                let service = peripheral.services?.first { $0.uuid == CBUUID(string: "180F") }
                guard let service, let characteristic = service.characteristics?.first else { return }
                characteristic.descriptors = nil
                delegate.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: nil)
                service.characteristics = nil
                delegate.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: nil)
                service.includedServices = nil
                delegate.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: nil)
                peripheral.services = nil
                delegate.peripheral(peripheral, didDiscoverServices: nil)
            }
            #expect(try await services == .services([]))
            #expect(try await included == .services([]))
            #expect(try await characteristics == .characteristics([]))
            #expect(try await descriptors == .descriptors([]))
        }
    }

    @Test func `D3: callbacks for a service, a characteristic or a device that is gone are counted`() async throws {
        try await connected { scene, seam, _, _ in
            let before = seam.events.count
            await seam.backend.call { delegate, manager in
                let (known, unknown) = (manager.connected, manager.object(PeerIdentifier("strange")))
                let host = manager.host
                let service = CBService(
                    uuid: CBUUID(string: "180F"), number: .init(rawValue: 900), isPrimary: true, peripheral: nil,
                    host: host)
                let characteristic = CBCharacteristic(
                    uuid: CBUUID(string: "2A19"), number: .init(rawValue: 901), properties: .read, service: nil,
                    host: host)
                characteristic.value = Data([1])
                let descriptor = CBDescriptor(
                    uuid: CBUUID(string: "2901"), number: .init(rawValue: 902), characteristic: nil, host: host)
                for peripheral in [known, unknown] {
                    delegate.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: nil)
                    delegate.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: nil)
                    delegate.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: nil)
                    delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
                    delegate.peripheral(peripheral, didWriteValueFor: characteristic, error: nil)
                    delegate.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: nil)
                    delegate.peripheral(peripheral, didUpdateValueFor: descriptor, error: nil)
                    delegate.peripheral(peripheral, didWriteValueFor: descriptor, error: nil)
                    delegate.peripheral(peripheral, didReadRSSI: NSNumber(value: 1), error: nil)
                }
                delegate.peripheral(unknown, didModifyServices: [service])
                delegate.peripheral(unknown, didDiscoverServices: nil)
                delegate.peripheralIsReady(toSendWriteWithoutResponse: unknown)
                delegate.centralManager(manager, didConnect: unknown)
                delegate.centralManager(manager, didFailToConnect: unknown, error: nil)
                delegate.centralManager(
                    manager, didDisconnectPeripheral: unknown, timestamp: 0, isReconnecting: true, error: nil)
            }
            #expect(await seam.backend.statistics.strayCallbacks == 24)
            #expect(seam.events.count == before)
        }
    }

    @Test func `D7: a descriptor's value of an unknown class is no bytes`() async throws {
        for make in Self.strange where !(make() is NSData) && !(make() is NSString) && !(make() is NSNumber) {
            #expect(Bytes(object: make()) == [])
        }
        #expect(Bytes(object: nil) == [])
        #expect(Bytes(object: NSNumber(value: -1)) == [0xFF, 0xFF])
        #expect(Bytes(object: NSNumber(value: UInt64.max)) == [0xFF, 0xFF])
        #expect(Bytes(object: NSNumber(value: Double.infinity)).count == 2)
    }

    @Test(arguments: [5_000, 70_000])
    func `D6: a database of thousands of services is listed as far as there are numbers`(_ count: Int) async throws {
        try await connected { scene, seam, _, _ in
            scene.world.host.faults = [.silentDiscovery]
            async let reply = seam.ask(.discoverServices(scene.identifier, nil))
            try await scene.world.elapse(.seconds(1))
            await seam.backend.call { delegate, manager in
                let peripheral = manager.connected
                peripheral.services = (0..<count).map { number in
                    CBService(
                        uuid: CBUUID(string: "FFE0"), number: .init(rawValue: UInt32(1_000 + number)),
                        isPrimary: true, peripheral: peripheral, host: manager.host)
                }
                delegate.peripheral(peripheral, didDiscoverServices: nil)
            }
            guard case .services(let services) = try await reply else { return }
            let kept = min(count, 65_500)
            #expect(services.count >= kept && services.count <= count)
            #expect(Set(services.map(\.id)).count == services.count)
            #expect(await seam.backend.statistics.droppedAttributes == count - services.count)
        }
    }

    // MARK: Values

    @Test func `E2: a value that is nil without an error is empty as an answer, and no notification`() async throws {
        try await connected { scene, seam, _, level in
            try await scene.peer.hold(StrapScene.level, on: .read)
            async let reply = seam.ask(.read(scene.identifier, level))
            try await scene.peer.wait(until: .held(StrapScene.level, .read))
            let before = seam.values.count
            await seam.backend.call { delegate, manager in
                guard let characteristic = manager.connected.services?.first?.characteristics?.first else { return }
                characteristic.value = nil
                delegate.peripheral(manager.connected, didUpdateValueFor: characteristic, error: nil)
                delegate.peripheral(manager.connected, didUpdateValueFor: characteristic, error: nil)
            }
            #expect(try await reply == .value([]))
            #expect(seam.values.count == before)
            #expect(await seam.backend.statistics.strayCallbacks == 1)
        }
    }

    @Test(arguments: [600, 70_000])
    func `J3, C14: a value that is longer than any is passed on whole`(_ count: Int) async throws {
        try await connected { scene, seam, _, level in
            await seam.backend.call { delegate, manager in
                guard let characteristic = manager.connected.services?.first?.characteristics?.first else { return }
                characteristic.value = Data(count: count)
                delegate.peripheral(manager.connected, didUpdateValueFor: characteristic, error: nil)
            }
            #expect(seam.values.last == Bytes([UInt8](repeating: 0, count: count)))
        }
    }

    @Test(arguments: [-1, Int.min, Int.max, 256, 0])
    func `F4, F5: an error with any number is a typed failure`(_ code: Int) async throws {
        try await connected { scene, seam, _, level in
            for domain in [CBATTErrorDomain, CBErrorDomain, "AnotherDomain", ""] {
                try await scene.peer.hold(StrapScene.level, on: .read)
                async let reply = seam.ask(.read(scene.identifier, level))
                try await scene.peer.wait(until: .held(StrapScene.level, .read))
                await seam.backend.call { delegate, manager in
                    guard let characteristic = manager.connected.services?.first?.characteristics?.first else { return }
                    delegate.peripheral(
                        manager.connected, didUpdateValueFor: characteristic,
                        error: NSError(domain: domain, code: code))
                }
                do {
                    let value = try await reply
                    Issue.record("the read gave \(value)")
                } catch let error as OperationFailure {
                    if domain == CBATTErrorDomain, let octet = UInt8(exactly: code) {
                        #expect(error == .att(ATTError(rawValue: octet)))
                    } else {
                        guard case .backend = error else { throw error }
                    }
                }
                try await scene.peer.release(StrapScene.level, on: .read)
                try await scene.world.elapse(.seconds(1))
            }
        }
    }

    @Test func `C13: a strength that was not measured is unavailable`() async throws {
        try await connected { scene, seam, _, _ in
            let request = RequestID(rawValue: 900)
            await seam.backend.readStrength(of: scene.identifier, request, as: 127)
            let answers = seam.events.compactMap { if case .reply(request, let result) = $0 { result } else { nil } }
            #expect(answers == [.failure(.rssiUnavailable)])
        }
    }
}

extension Seam {
    fileprivate var sightings: [Sighting] {
        events.compactMap { if case .sighted(let sighting) = $0 { sighting } else { nil } }
    }

    fileprivate var values: [Bytes] {
        events.compactMap { if case .valueChanged(_, _, let value) = $0 { value } else { nil } }
    }
}

extension CBCentralManager {
    /// The strap, which is connected.
    fileprivate var connected: CBPeripheral {
        let found = retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")])
        guard let peripheral = found.first else { preconditionFailure("nothing is connected") }
        return peripheral
    }
}

extension CoreBluetoothCentralBackend {
    /// Asks for the strength of a connection, which is answered before anything else.
    fileprivate func readStrength(of peripheral: PeerIdentifier, _ request: RequestID, as value: Int) {
        perform(CentralRequest(id: request, operation: .readRSSI(peripheral)))
        call { delegate, manager in
            delegate.peripheral(manager.connected, didReadRSSI: NSNumber(value: value), error: nil)
        }
    }

    fileprivate func restore(strange make: @Sendable () -> Any) {
        restored([
            CBCentralManagerRestoredStatePeripheralsKey: make(), CBCentralManagerRestoredStateScanServicesKey: make(),
            CBCentralManagerRestoredStateScanOptionsKey: make(),
        ])
    }
}

extension CoreBluetoothPeripheralBackend {
    fileprivate func restore(strange make: @Sendable () -> Any) {
        restored([
            CBPeripheralManagerRestoredStateServicesKey: make(),
            CBPeripheralManagerRestoredStateAdvertisementDataKey: make(),
        ])
    }
}
