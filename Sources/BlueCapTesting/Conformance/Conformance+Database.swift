// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// The peer's GATT database as a whole.
    static let database: [Behaviour] = [
        Behaviour("services, characteristics and descriptors are discovered in the peer's order") { world in
            let first = TwinService(
                .service(0),
                characteristics: [
                    TwinCharacteristic(0, .read),
                    TwinCharacteristic(1, [.read, .write]),
                    TwinCharacteristic(2, [.notify, .writeWithoutResponse]),
                    TwinCharacteristic(
                        .characteristic(3), properties: .indicate, descriptors: [TwinDescriptor("2901")]),
                ])
            let second = TwinService(.service(1), characteristics: [TwinCharacteristic(4, .read)])
            let scene = try await Scene.discovered(Twin(name: "Peer", services: [first, second]), in: world)
            let services = scene.peripheral.services.filter { [.service(0), .service(1)].contains($0.uuid) }
            try expectEqual(services.map(\.uuid), [.service(0), .service(1)], "the services")
            try expect(services.allSatisfy(\.isPrimary), "a primary service is not taken for one")
            let characteristics = services[0].characteristics
            try expectEqual(characteristics.map(\.uuid), first.characteristics.map(\.uuid), "the characteristics")
            try expectEqual(
                characteristics.map(\.properties), first.characteristics.map(\.properties), "their properties")
            try await characteristics[3].discoverDescriptors()
            let uuids = Set(characteristics[3].descriptors.map(\.uuid))
            try expectEqual(uuids, ["2901", "2902"], "the descriptors of an indicating characteristic")
        },
        Behaviour("only the services asked for are discovered") { world in
            let services = (0..<2).map {
                TwinService(.service($0), characteristics: [TwinCharacteristic(.characteristic($0), properties: .read)])
            }
            let scene = try await Scene.connected(Twin(name: "Peer", services: services), in: world)
            let found = try await scene.peripheral.discoverServices([.service(1)])
            try expectEqual(found.map(\.uuid), [.service(1)], "the services")
        },
        Behaviour("services and characteristics of the same UUID are kept apart") { world in
            let services = (0..<2).map { service in
                TwinService(
                    .service(0),
                    characteristics: (0..<2).map { characteristic in
                        TwinCharacteristic(
                            .characteristic(0), properties: [.read, .write, .notify],
                            value: [UInt8(10 * service + characteristic)])
                    })
            }
            let scene = try await Scene.discovered(Twin(name: "Peer", services: services), in: world)
            let found = scene.peripheral.services(withUUID: .service(0))
            try expectEqual(found.count, 2, "how many services there are")
            for (number, service) in found.enumerated() {
                let characteristics = service.characteristics(withUUID: .characteristic(0))
                try expectEqual(characteristics.count, 2, "how many characteristics service \(number) has")
                for (index, characteristic) in characteristics.enumerated() {
                    try expectEqual(try await characteristic.read(), [UInt8(10 * number + index)], "a value")
                }
            }
            try await found[1].characteristics[0].write([99])
            let written = try await scene.peer.value(of: PeerAttribute(service: 1, characteristic: 0))
            try expectEqual(written, [99], "the value written to the third characteristic")
            let third = PeerAttribute(service: 1, characteristic: 0)
            try await receive([[7]], in: found[1].characteristics[0]) { try await scene.peer.notify(third, [[7]]) }
            do {
                _ = try scene.peripheral.characteristic(.characteristic(0))
                throw ConformanceFailure("a lookup by an ambiguous UUID picked one")
            } catch let error as CharacteristicError {
                try expectEqual(error, .ambiguous(.characteristic(0), count: 4), "the error of an ambiguous lookup")
            }
        },
        Behaviour("included services are discovered") { world in
            let included = TwinService(
                .service(1), isPrimary: false,
                characteristics: [TwinCharacteristic(1, .read, value: [5])])
            // BlueZ leaves a service without characteristics out.
            let including = TwinService(.service(0), includes: [1], characteristics: [TwinCharacteristic(0, .read)])
            let services = [including, included]
            let scene = try await Scene.discovered(Twin(name: "Peer", services: services), in: world)
            let service = try require(scene.peripheral.services(withUUID: .service(0)).first, "the service")
            let found = try await service.discoverIncludedServices()
            try expectEqual(found.map(\.uuid), [.service(1)], "the included services")
            let characteristics = try await found[0].discoverCharacteristics()
            try expectEqual(try await characteristics.first?.read(), [5], "a value of the included service")
        },
        Behaviour("a change of the services is told, and the new ones are discovered") { world in
            let before = TwinService(.service(0), characteristics: [TwinCharacteristic(0, .read)])
            let scene = try await Scene.discovered(Twin(name: "Peer", services: [before]), in: world)
            try await withEventRecorder(of: scene.peripheral.serviceChanges()) { changes in
                let after = TwinService(.service(1), characteristics: [TwinCharacteristic(1, .read, value: [3])])
                try await scene.peer.changeServices([after])
                try await changes.first(1)
            }
            try await scene.peripheral.discover()
            let uuids = scene.peripheral.services.map(\.uuid)
            try expect(uuids.contains(.service(1)), "the new service is not among \(uuids)")
            try expect(!uuids.contains(.service(0)), "the old service is among \(uuids)")
            try expectEqual(try await scene.characteristic(1).read(), [3], "the value in the new service")
        },
        Behaviour("a read that waits ends when its characteristic is taken away") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.hold(PeerAttribute(), on: .read)
            try await withThrowingTaskGroup(of: Result<Bytes, CharacteristicError>.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        await outcome { () throws(CharacteristicError) in try await characteristic.read() }
                    }
                }
                try await scene.peer.wait(until: .held(PeerAttribute(), .read))
                try await settle("both reads are pending") { await characteristic.pendingReadCount == 2 }
                try await scene.peer.changeServices([
                    TwinService(.service(1), characteristics: [TwinCharacteristic(1, .read)])
                ])
                var expected = [CharacteristicError.notDiscovered(.characteristic(0))]
                // The link and the attribute end in either order.
                if world.limit(.serviceChangeWhileAsked) != nil { expected.append(.disconnected) }
                for try await result in group {
                    let error = result.failure
                    try expect(expected.contains { $0 == error }, "a read of what is gone ended with \(error as Any)")
                }
            }
            let isLost = world.limit(.serviceChangeWhileAsked) != nil
            while isLost, scene.peripheral.state != .disconnected {
                try await world.deadlineClock.sleep(for: .milliseconds(20))
            }
            try expectEqual(scene.peripheral.state, isLost ? .disconnected : .connected, "the state after the change")
        },
    ]
}
