// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Services that come and go, and registrations that outlive the radio.
    static let registering: [Behaviour] = [
        Behaviour("a central is told of a service that is added while it is connected, and finds it") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .read, value: [0]), in: world)
            try await scene.listensForChanges()
            let second = MutableService(uuid: .service(1))
            second.characteristics = [MutableCharacteristic(1, .read, value: [7])]
            try await scene.manager.add(second)
            let changed = try await scene.far.serviceChange()
            let added = try await scene.expectValue([7], of: 1) { $0.contains { $0.uuid == .service(1) } }
            if let changed { try expect(changed.contains(added.id), "what was indicated is \(changed)") }
        },
        Behaviour("a central is told of a service that is removed while it is connected, and it is gone") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .read, value: [0]), in: world)
            try await scene.listensForChanges()
            try await scene.manager.remove(scene.service)
            let changed = try await scene.far.serviceChange()
            let removed = try scene.remote().id
            if let changed { try expect(changed.contains(removed), "what was indicated is \(changed)") }
            _ = try await scene.discover { !$0.contains { $0.uuid == .service(0) } }
            try expect(scene.manager.services.isEmpty, "the manager still has a service")
            try await scene.manager.add(scene.service)
            _ = try await scene.far.serviceChange()
            _ = try await scene.discover { $0.contains { $0.uuid == .service(0) } }
        },
        Behaviour("a service is added once") { world in
            let manager = try await world.makePoweredPeripheralManager()
            let service = MutableService(uuid: .service(0))
            try await manager.add(service)
            try await expectThrows(PeripheralManagerError.alreadyAdded(.service(0)), "adding it again") {
                try await manager.add(service)
            }
            try expectEqual(manager.services, [service], "the services")
        },
        Behaviour("two services of one UUID are kept apart") { world in
            let manager = try await world.makePoweredPeripheralManager()
            let services = [MutableService(uuid: .service(0)), MutableService(uuid: .service(0))]
            for (number, service) in services.enumerated() {
                service.characteristics = [MutableCharacteristic(number, .read, value: [UInt8(number)])]
            }
            try await manager.add(services)
            try expectEqual(manager.services(withUUID: .service(0)), services, "the services")
            try await manager.startAdvertising(PeripheralScene.name)
            let scene = try await PeripheralScene.connected(to: manager, services[1], in: world)
            try await scene.listensForChanges()
            try await manager.remove(services[0])
            try expectEqual(manager.services, [services[1]], "what is left")
            try await scene.expectValue([1], of: 1) { $0.filter { $0.uuid == .service(0) }.count == 1 }
        },
        Behaviour("a service and the one that includes it are found, and are removed in the other order only") {
            world in
            let manager = try await world.makePoweredPeripheralManager()
            let inner = MutableService(uuid: .service(0))
            inner.characteristics = [MutableCharacteristic(0, .read, value: [1])]
            let outer = MutableService(uuid: .service(1))
            outer.characteristics = [MutableCharacteristic(1, .read, value: [2])]
            outer.includedServices = [inner]
            try await manager.add([inner, outer])
            try await manager.startAdvertising(PeripheralScene.name)
            let scene = try await PeripheralScene.connected(to: manager, inner, in: world)
            try await expectThrows(PeripheralManagerError.includedByService(.service(1)), "removing the included one") {
                try await manager.remove(inner)
            }
            try expectEqual(manager.services, [inner, outer], "the services after the refusal")
            let included = try await scene.expectValue([1], of: 0) { $0.numbers == [0, 1] }
            try await scene.expectValue([2], of: 1) { $0.numbers == [0, 1] }
            try await manager.remove(outer)
            let left = try await scene.expectValue([1], of: 0) { $0.numbers == [0] }
            try expectEqual(left.id, included.id, "the place of what was included")
            try await manager.remove(inner)
            _ = try await scene.discover { $0.numbers.isEmpty }
        },
        Behaviour("services and the advertisement outlive a switched-off radio") { world in
            let (manager, _) = try await PeripheralScene.advertising(
                [MutableCharacteristic(0, .read, value: [3])], in: world)
            try await withEventRecorder(of: manager.states()) { states in
                try await world.setPower(false)
                try await states.wait { $0.last == .poweredOff }
                try await world.setPower(true)
                try await states.wait { $0.last == .poweredOn && $0.contains(.poweredOff) }
            }
            try await expectServed(in: world, value: [3])
        },
        Behaviour("switching the radio off ends subscriptions and refuses calls") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .notify), in: world)
            try await scene.subscribe()
            try await settle("the manager knows of the subscription") { !scene.local().subscribers.isEmpty }
            try await withEventRecorder(of: scene.manager.states()) { states in
                try await world.setPower(false)
                try await states.wait { $0.last == .poweredOff }
                try expect(scene.local().subscribers.isEmpty, "somebody is still subscribed")
                try await expectThrows(PeripheralManagerError.poweredOff, "adding a service") {
                    try await scene.manager.add(MutableService(uuid: .service(1)))
                }
                try await world.setPower(true)
                try await states.wait { $0.last == .poweredOn && $0.contains(.poweredOff) }
            }
        },
        Behaviour("an invalidated manager is not heard any more and refuses calls") { world in
            let (manager, service) = try await PeripheralScene.advertising([MutableCharacteristic(0, .read)], in: world)
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.localName == PeripheralScene.name }
            await manager.invalidate()
            try await expectThrows(PeripheralManagerError.invalidated, "adding a service") {
                try await manager.add(service)
            }
            try expect(!manager.isAdvertising, "it still advertises")
            // A packet sent before the end may still be reported.
            _ = try await far.listen(for: .seconds(1))
            try await expectSilence(far)
        },
    ]

    /// Shows that a central finds the suite's first service and reads its first value.
    @discardableResult
    static func expectServed(in world: any ConformanceWorld, value: Bytes) async throws -> FarCharacteristic {
        let far = try await world.farCentral(0)
        let found = try await far.connect(to: try await far.hear { $0.localName == PeripheralScene.name })
        let remote = try require(found.characteristic(0), "the characteristic")
        try expectEqual(try await far.read(remote.id), .success(value), "its value")
        return remote
    }
}

extension PeripheralScene {
    /// Discovers again until the database is as expected: a central may learn of a change some time after it, and in
    /// the midst of a discovery.
    func discover(_ isExpected: ([FarService]) -> Bool) async throws -> [FarService] {
        var last = "nothing"
        for _ in 0..<50 {
            do {
                let found = try await far.discover()
                if isExpected(found) { return found }
                last = "\(found.map(\.uuid))"
            } catch let error as any BlueCapError {
                last = "\(error)"
            }
            try await world.deadlineClock.sleep(for: .milliseconds(100))
        }
        throw ConformanceFailure("the database never was as expected; the last: \(last)")
    }

    /// Returns once the central's platform listens for changes of the database. It subscribes to these when it has
    /// found the services, and its requests are answered in order; bluetoothd 5.82 is refused, and misses all changes
    /// from then on, if the database changes before.
    func listensForChanges() async throws { _ = try await read() }

    /// Shows that a characteristic has a value after the database has changed. Until a central's platform has taken all
    /// of the change in, attributes that were just discovered may be gone again, or refused with 0x12.
    @discardableResult
    func expectValue(
        _ value: Bytes, of number: Int, where isExpected: ([FarService]) -> Bool
    ) async throws -> FarCharacteristic {
        var last = "nothing"
        for _ in 0..<50 {
            do {
                let remote = try require(try await discover(isExpected).characteristic(number), "the characteristic")
                let answer = try await far.read(remote.id)
                if answer == .success(value) { return remote }
                last = "\(answer)"
            } catch let error as any BlueCapError {
                last = "\(error)"
            }
            try await world.deadlineClock.sleep(for: .milliseconds(100))
        }
        throw ConformanceFailure("characteristic \(number) never had its value; the last: \(last)")
    }
}

extension [FarService] {
    /// The numbers of the suite's first two services, each as often as it was found, in order.
    fileprivate var numbers: [Int] {
        [0, 1].flatMap { number in filter { $0.uuid == .service(number) }.map { _ in number } }
    }
}
