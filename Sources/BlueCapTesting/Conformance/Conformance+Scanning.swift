// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let scanning: [Behaviour] = [
        Behaviour("the current state comes first to each of two consumers") { world in
            let central = try await world.makePoweredCentral()
            for consumer in ["first", "second"] {
                var states = central.states().makeAsyncIterator()
                try expectEqual(await states.next(), .poweredOn, "the first state for the \(consumer) consumer")
            }
        },
        Behaviour("an advertising peripheral is discovered once, with its name and address") { world in
            let central = try await world.makePoweredCentral()
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer"))
            let other = try await world.peer(1).configure(Twin(name: "Other"))
            try await withEventRecorder(of: central.scan()) { sightings in
                let first = try await sightings.first { $0.peripheral.identifier == identifier }
                try expectEqual(first.kind, .discovered, "the first sighting")
                try expectEqual(first.peripheral.name, "Peer", "the name")
                // By the time the other device, which begins to advertise now, is sighted, many more packets of the
                // first have come.
                try await world.peer(1).advertise(true)
                try await sightings.first { $0.peripheral.identifier == other }
                let times = sightings.all.count { $0.peripheral.identifier == identifier && $0.kind == .discovered }
                try expectEqual(times, 1, "how often it was discovered")
            }
            let known = central.peripherals.count { $0.identifier == identifier }
            try expectEqual(known, 1, "how often the manager lists it")
        },
        Behaviour("a peripheral is found by its address among others") { world in
            let central = try await world.makePoweredCentral()
            _ = try await world.peer(0).advertising(Twin(name: "Other"))
            let wanted = try await world.peer(1).advertising(Twin(name: "Peer"))
            let options = ScanOptions(addressPrefix: wanted.text)
            let found = try await central.firstDiscovery(options: options)
            try expectEqual(found.peripheral.identifier, wanted, "the peripheral found")
        },
        Behaviour("a peripheral is found by a service UUID that it advertises") { world in
            let central = try await world.makePoweredCentral()
            _ = try await world.peer(0).advertising(Twin(name: "Other"))
            let advertisement = TwinAdvertisement(
                data: PeripheralAdvertisements(localName: "Peer", serviceUUIDs: ["180F"]))
            let wanted = try await world.peer(1).advertising(Twin(name: "Peer", advertisement: advertisement))
            let found = try await central.firstDiscovery(for: ["180F"])
            try expectEqual(found.peripheral.identifier, wanted, "the peripheral found")
        },
        Behaviour("a peripheral is not found by a service UUID that it does not advertise") { world in
            let central = try await world.makePoweredCentral()
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer"))
            try await central.sight(identifier)
            let outcome = try await world.elapsing(.seconds(5)) {
                try await central.firstDiscovery(for: [.service(99)], timeout: .seconds(5))
            }
            try expectFailure(outcome, CentralManagerError.serviceScanTimeout, "a scan for a service that nobody has")
        },
        Behaviour("a scan without one sighting throws when its timeout passes") { world in
            let central = try await world.makePoweredCentral()
            let outcome = try await world.elapsing(.seconds(3)) {
                for try await discovery in central.scan(for: [.service(98)], timeout: .seconds(3)) {
                    throw ConformanceFailure("sighted \(discovery.peripheral)")
                }
            }
            try expectFailure(outcome, CentralManagerError.serviceScanTimeout, "a scan without a sighting")
            try await settle("the manager stopped scanning") { !central.isScanning }
        },
        Behaviour("a scan with a sighting ends quietly when its timeout passes") { world in
            let central = try await world.makePoweredCentral()
            let peer = try await world.peer(0)
            let identifier = try await peer.advertising(Twin(name: "Peer"))
            let scan = central.scan(options: ScanOptions(allowsDuplicates: true), timeout: .seconds(4))
            let peripheral = try await withEventRecorder(of: scan) { sightings in
                let first = try await sightings.first { $0.peripheral.identifier == identifier }
                try await world.elapse(.seconds(4))
                try await sightings.end()
                return first.peripheral
            }
            try await expectNothingHeard(of: peripheral, from: peer, in: world)
        },
        Behaviour("leaving the loop stops the scan") { world in
            let central = try await world.makePoweredCentral()
            let peer = try await world.peer(0)
            let identifier = try await peer.advertising(Twin(name: "Peer"))
            let peripheral = try await central.firstDiscovery(
                options: ScanOptions(allowsDuplicates: true, addressPrefix: identifier.text)
            ).peripheral
            try await settle("the manager stopped scanning") { !central.isScanning }
            try await expectNothingHeard(of: peripheral, from: peer, in: world)
            // The next scan is a new one: it discovers the same peripheral again.
            let again = try await central.firstDiscovery(options: ScanOptions(addressPrefix: identifier.text))
            try expectEqual(again.kind, .discovered, "the sighting in a second scan")
            try await settle("the manager stopped scanning again") { !central.isScanning }
        },
        Behaviour("two scans with different filters run at once and each sees its own") { world in
            let central = try await world.makePoweredCentral()
            let left = try await world.peer(0).advertising("Left", service: .service(1))
            let right = try await world.peer(1).advertising("Right", service: .service(2))
            try await withEventRecorder(of: central.scan(for: [.service(1)])) { lefts in
                try await withEventRecorder(of: central.scan(for: [.service(2)])) { rights in
                    try await lefts.first { $0.peripheral.identifier == left }
                    try await rights.first { $0.peripheral.identifier == right }
                    let one = try await world.peer(2).advertising("One", service: .service(1))
                    let two = try await world.peer(3).advertising("Two", service: .service(2))
                    try await lefts.first { $0.peripheral.identifier == one }
                    try await rights.first { $0.peripheral.identifier == two }
                    try expectEqual(Set(lefts.all.map(\.peripheral.identifier)), [left, one], "what the first saw")
                    try expectEqual(Set(rights.all.map(\.peripheral.identifier)), [right, two], "what the second saw")
                }
            }
        },
    ]

    /// Shows that the radio itself does not hear the peer's advertisements from now on.
    private static func expectNothingHeard(
        of peripheral: Peripheral, from peer: any ConformancePeer, in world: any ConformanceWorld
    ) async throws {
        try await world.pass(.seconds(1))
        try await peer.updateAdvertisement(
            TwinAdvertisement(data: PeripheralAdvertisements(localName: "Peer", manufacturerData: [0xFFFF: [1]])))
        try await world.pass(.seconds(2))
        let heard = peripheral.advertisements.manufacturerData
        try expect(heard.isEmpty, "the radio heard \(heard) though nothing scans")
    }
}

extension ConformancePeer {
    func advertising(_ description: Twin) async throws -> PeerIdentifier {
        let identifier = try await configure(description)
        try await advertise(true)
        return identifier
    }

    /// Makes it a device that advertises its name and a service.
    func advertising(_ name: String, service: BluetoothUUID) async throws -> PeerIdentifier {
        // A 128-bit UUID and the name do not fit into one packet together with the flags.
        let response = PeripheralAdvertisements(localName: name)
        let advertisement = TwinAdvertisement(
            data: PeripheralAdvertisements(serviceUUIDs: [service]), scanResponse: response)
        return try await advertising(Twin(name: name, advertisement: advertisement))
    }
}
