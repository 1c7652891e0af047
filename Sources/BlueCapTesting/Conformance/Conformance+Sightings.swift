// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// The contents of a sighting.
    static let sightings: [Behaviour] = [
        Behaviour("advertising data of a name only are just that, with a signal strength") { world in
            let central = try await world.makePoweredCentral()
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer"))
            let sighting = try await central.sight(identifier) { $0.advertisements.localName != nil }
            let advertisements = sighting.advertisements
            try expectEqual(advertisements.localName, "Peer", "the local name")
            try expectEqual(advertisements.manufacturerData, [:], "the manufacturer data")
            try expectEqual(advertisements.serviceData, [:], "the service data")
            try expectEqual(advertisements.serviceUUIDs, [], "the service UUIDs")
            try expectEqual(advertisements.txPower, nil, "the transmit power")
            let rssi = try require(sighting.rssi, "the signal strength")
            try expect((-127...20).contains(rssi), "a signal strength of \(rssi) dBm is none")
        },
        Behaviour("advertising data of every kind arrive as they were sent") { world in
            let central = try await world.makePoweredCentral()
            let sent = PeripheralAdvertisements(
                localName: "Cap", manufacturerData: [0x1234: Bytes(Array("MFG".utf8))], txPower: 123,
                serviceUUIDs: ["180F"], serviceData: ["180F": Bytes(Array("SER".utf8))])
            let identifier = try await world.peer(0).advertising(
                Twin(name: "Cap", advertisement: TwinAdvertisement(data: sent)))
            let told = world.told(of: sent)
            _ = try await central.sight(identifier) { discovery in
                let got = discovery.advertisements
                return got.localName == told.localName && got.serviceUUIDs == told.serviceUUIDs
                    && got.manufacturerData == told.manufacturerData && got.serviceData == told.serviceData
                    && got.txPower == told.txPower
            }
        },
        Behaviour("appearance, flags and solicited services arrive where the platform tells them") { world in
            let central = try await world.makePoweredCentral()
            let sent = PeripheralAdvertisements(
                localName: "Cap", solicitedServiceUUIDs: ["180D"], appearance: 0x0341,
                flags: [.generalDiscoverable, .noBREDR])
            let identifier = try await world.peer(0).advertising(
                Twin(name: "Cap", advertisement: TwinAdvertisement(data: sent)))
            let told = world.told(of: sent)
            _ = try await central.sight(identifier) { discovery in
                let got = discovery.advertisements
                return got.localName == told.localName && got.appearance == told.appearance && got.flags == told.flags
                    && got.solicitedServiceUUIDs == told.solicitedServiceUUIDs
            }
        },
        Behaviour("a scan response adds to the advertising data") { world in
            let central = try await world.makePoweredCentral()
            let response = PeripheralAdvertisements(localName: "A longer name", manufacturerData: [0xFFFF: [1, 2, 3]])
            let sent = TwinAdvertisement(
                data: PeripheralAdvertisements(serviceUUIDs: [.service(3)]), scanResponse: response)
            let identifier = try await world.peer(0).advertising(Twin(name: "A longer name", advertisement: sent))
            let sighting = try await central.sight(identifier) { discovery in
                let got = discovery.advertisements
                return got.serviceUUIDs == [.service(3)] && got.localName == "A longer name"
                    && got.manufacturerData == [0xFFFF: [1, 2, 3]]
            }
            try expectEqual(sighting.peripheral.name, "A longer name", "the peripheral's name")
        },
        Behaviour("a sighting is updated when what is advertised changes, and lost when nothing is") { world in
            let central = try await world.makePoweredCentral()
            let peer = try await world.peer(0)
            let before = TwinAdvertisement(
                data: PeripheralAdvertisements(localName: "Peer", manufacturerData: [0xFFFF: [1]]))
            let identifier = try await peer.advertising(Twin(name: "Peer", advertisement: before))
            let scan = central.scan(options: ScanOptions(addressPrefix: identifier.text, lostAfter: .seconds(5)))
            try await withEventRecorder(of: scan) { sightings in
                try await sightings.first { $0.advertisements.manufacturerData == [0xFFFF: [1]] }
                try expectEqual(sightings.all.first?.kind, .discovered, "the first sighting")

                let after = TwinAdvertisement(
                    data: PeripheralAdvertisements(localName: "Peer", manufacturerData: [0xFFFF: [2]]))
                try await peer.updateAdvertisement(after)
                let update = try await sightings.first { $0.advertisements.manufacturerData[0xFFFF] == [2] }
                try expectEqual(update.kind, .updated, "the sighting after the change")

                try await peer.advertise(false)
                try await world.elapse(.seconds(6))
                let lost = try await sightings.first { $0.kind == .lost }
                try expectEqual(lost.peripheral.identifier, identifier, "who was lost")

                let seen = sightings.count
                try await peer.advertise(true)
                try await sightings.wait { $0.count > seen }
                try expectEqual(sightings.all[seen].kind, .discovered, "the first sighting after the loss")
            }
        },
        Behaviour("a peripheral weaker than a scan's minimum is left out until it is stronger") { world in
            let central = try await world.makePoweredCentral()
            let (weak, strong) = (try await world.peer(0), try await world.peer(1))
            let far = try await weak.configure(Twin(name: "Far"))
            let near = try await strong.configure(Twin(name: "Near"))
            try await weak.setRSSI(-95)
            try await strong.setRSSI(-45)
            try await weak.advertise(true)
            try await central.sight(far)
            try await withEventRecorder(of: central.scan(options: ScanOptions(minimumRSSI: -70))) { sightings in
                try await strong.advertise(true)
                try await sightings.first { $0.peripheral.identifier == near }
                let early = sightings.all.contains { $0.peripheral.identifier == far }
                try expect(!early, "a peripheral of -95 dBm was reported to a scan from -70 dBm on")
                try await weak.setRSSI(-45)
                try await sightings.first { $0.peripheral.identifier == far }
            }
        },
        Behaviour("every packet is reported to a scan that allows duplicates") { world in
            let central = try await world.makePoweredCentral()
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer"))
            let scan = central.scan(options: ScanOptions(allowsDuplicates: true, addressPrefix: identifier.text))
            try await withEventRecorder(of: scan) { sightings in
                try await sightings.first(5)
                try expectEqual(sightings.all.count { $0.kind == .discovered }, 1, "how often it was discovered")
            }
        },
        Behaviour("a scan for every packet reports each of them, or says why it cannot") { world in
            let central = try await world.makePoweredCentral()
            let sent = TwinAdvertisement(data: PeripheralAdvertisements(localName: "Peer"))
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer", advertisement: sent))
            let options = ScanOptions(addressPrefix: identifier.text, lostAfter: nil, mode: .everyPacket)
            if let reason = world.limit(.everyPacket)?.error {
                try await expectThrows(for: [reason], "a scan for every packet") {
                    for try await _ in central.scan(options: options) {}
                }
            } else {
                try await withEventRecorder(of: central.scan(options: options)) { sightings in
                    try await sightings.first { $0.advertisements.localName == "Peer" }
                    try await sightings.first(5)
                    try expectEqual(sightings.all.count { $0.kind == .discovered }, 1, "how often it was discovered")
                }
            }
        },
    ]
}

extension ConformanceWorld {
    /// Advertising data as they arrive: a field that the platform does not tell is absent.
    fileprivate func told(of sent: PeripheralAdvertisements) -> PeripheralAdvertisements {
        var told = sent
        if limit(.advertisingField("txPower")) != nil { told.txPower = nil }
        if limit(.advertisingField("appearance")) != nil { told.appearance = nil }
        if limit(.advertisingField("flags")) != nil { told.flags = nil }
        if limit(.advertisingField("solicitedServiceUUIDs")) != nil { told.solicitedServiceUUIDs = [] }
        return told
    }
}
