// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Accesses that no central makes, given to the peripheral role's delegate: nothing traps, and each has one answer.
@Suite(.timeLimit(.minutes(60)))
struct BadAccessTests {
    @Test func `I2: an empty array of writes is counted, and answered by nothing`() async throws {
        try await LampScene.run { lamp in
            let (world, backend) = (lamp.world, lamp.backend)
            await backend.call { delegate, manager in delegate.peripheralManager(manager, didReceiveWrite: []) }
            #expect(await backend.statistics.strayCallbacks == 1)
            #expect(world.host.misuses.isEmpty)
        }
    }

    // The stand-in has no access for these requests, so it notes each answer as a misuse.

    @Test(arguments: [-1, Int.min, Int.max, 4, 70_000])
    func `I1: a read at an offset out of range has one answer`(_ offset: Int) async throws {
        try await LampScene.run { lamp in
            let (world, backend, level) = (lamp.world, lamp.backend, lamp.level)
            await backend.read(at: offset)
            try await world.elapse(.seconds(1))
            #expect(world.host.misuses.count == 1)
            #expect(level.value == [1, 2, 3])
        }
    }

    @Test(arguments: [-1, Int.min, Int.max, 513])
    func `I2: a write at an offset out of range has one answer and changes nothing`(_ offset: Int) async throws {
        try await LampScene.run { lamp in
            let (world, backend, level) = (lamp.world, lamp.backend, lamp.level)
            await backend.write(at: [offset], count: 2)
            await backend.write(at: [0, Int.max], count: 2)
            try await world.elapse(.seconds(1))
            #expect(world.host.misuses.count == 2)
            #expect(level.value == [1, 2, 3])
        }
    }

    @Test func `I2: a write of 600 bytes, and one without a value, have one answer each`() async throws {
        try await LampScene.run { lamp in
            let (world, backend, level) = (lamp.world, lamp.backend, lamp.level)
            await backend.write(at: [0], count: 600)
            await backend.write(at: [0], count: nil)
            try await world.elapse(.seconds(1))
            #expect(world.host.misuses.count == 2)
            #expect(level.value == [1, 2, 3])
        }
    }

    @Test func `I1: an access of a characteristic that is not offered is refused`() async throws {
        try await LampScene.run { lamp in
            let backend = lamp.backend
            await backend.call { delegate, manager in
                let stranger = CBMutableCharacteristic(
                    type: CBUUID(string: "FFE1"), properties: [.read, .write], value: nil, permissions: .readable)
                let central = CBCentral(identifier: UUID(), host: manager.host)
                let request = CBATTRequest(
                    central: central, characteristic: stranger, offset: 0, value: nil, host: manager.host)
                delegate.peripheralManager(manager, didReceiveRead: request)
                delegate.peripheralManager(manager, didReceiveWrite: [request])
                delegate.peripheralManager(manager, central: central, didSubscribeTo: stranger)
                delegate.peripheralManager(manager, central: central, didUnsubscribeFrom: stranger)
                delegate.peripheralManager(
                    manager, didAdd: CBMutableService(type: CBUUID(string: "FFE0"), primary: true), error: nil)
                delegate.peripheralManagerDidStartAdvertising(manager, error: nil)
            }
            #expect(await backend.statistics.strayCallbacks == 4)
        }
    }

    @Test func `H1: an advertisement of strange values is restored without them`() async throws {
        let data: [String: Any] = [
            CBAdvertisementDataLocalNameKey: NSNumber(value: 1), CBAdvertisementDataServiceUUIDsKey: NSData(),
        ]
        #expect(Advertisement(dictionary: data) == Advertisement())
    }
}

extension CoreBluetoothPeripheralBackend {
    /// A central reads.
    fileprivate func read(at offset: Int) {
        call { delegate, manager in
            guard let offered = manager.published.first?.characteristics.first else { return }
            let central = CBCentral(identifier: UUID(), host: manager.host)
            delegate.peripheralManager(
                manager,
                didReceiveRead: CBATTRequest(
                    central: central, characteristic: offered, offset: offset, value: nil, host: manager.host))
        }
    }

    /// A central writes an array of values at offsets.
    fileprivate func write(at offsets: [Int], count: Int?) {
        call { delegate, manager in
            guard let offered = manager.published.first?.characteristics.first else { return }
            let central = CBCentral(identifier: UUID(), host: manager.host)
            delegate.peripheralManager(
                manager,
                didReceiveWrite: offsets.map { offset in
                    CBATTRequest(
                        central: central, characteristic: offered, offset: offset,
                        value: count.map { Data(count: $0) }, host: manager.host)
                })
        }
    }
}
