// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Scanning", .timeLimit(.minutes(60)))
struct ScanningTests {
    private func isSighting(_ event: CentralEvent) -> Bool { if case .sighted = event { true } else { false } }

    private func sightings(
        _ request: ScanRequest, for duration: Duration, configuration: VirtualAdapter.Configuration = .init(),
        _ world: @escaping @Sendable (VirtualRadio) -> Void,
        during: @escaping @Sendable (VirtualRadio) async throws -> Void = { _ in }
    ) async throws -> [Sighting] {
        try await VirtualRadio.run { radio in
            world(radio)
            let recorder = await Recorder.on(radio.central(configuration: configuration))
            await recorder.scan(request)
            try await during(radio)
            try await radio.clock.sleep(for: duration)
            return await recorder.entries.compactMap {
                if case .sighted(let sighting) = $0.event { sighting } else { nil }
            }
        }
    }

    @Test func `with duplicates reports every advertising event, at the interval plus up to 10 ms`() async throws {
        let seen = try await sightings(ScanRequest(allowsDuplicates: true), for: .seconds(10)) { radio in
            radio.add(VirtualPeripheral(name: "Tag"))
        }
        #expect((90...100).contains(seen.count))
    }

    @Test func `for a service reports only peripherals that advertise it`() async throws {
        let seen = try await sightings(ScanRequest(services: ["180F"]), for: .seconds(2)) { radio in
            radio.add(VirtualPeripheral(name: "Battery", services: [VirtualService("180F")]))
            radio.add(VirtualPeripheral(name: "Heart", services: [VirtualService("180D")]))
        }
        #expect(seen.map(\.name) == ["Battery"])
    }

    @Test func `merges a scan response into the sighting`() async throws {
        let seen = try await sightings(ScanRequest(), for: .seconds(2)) { radio in
            radio.add(
                VirtualPeripheral(
                    name: "Tag",
                    advertising: VirtualAdvertising(
                        data: PeripheralAdvertisements(serviceUUIDs: ["180F"]),
                        scanResponse: PeripheralAdvertisements(localName: "Long name", txPower: 4))))
        }
        #expect(seen.count == 1)
        #expect(seen.first?.name == "Long name")
        #expect(seen.first?.advertisements.serviceUUIDs == ["180F"])
        #expect(seen.first?.advertisements.txPower == 4)
    }

    @Test func `without duplicates reports a changed advertisement again`() async throws {
        let peripheral = VirtualPeripheral(name: "Tag")
        let seen = try await sightings(ScanRequest(), for: .seconds(2)) { radio in
            radio.add(peripheral)
        } during: { radio in
            try await radio.clock.sleep(for: .seconds(1))
            peripheral.changeAdvertisement(
                to: VirtualAdvertising(data: PeripheralAdvertisements(manufacturerData: [0x1234: [1]])))
        }
        #expect(seen.map(\.advertisements.manufacturerData) == [[:], [0x1234: [1]]])
    }

    @Test
    func `reports nothing of a peripheral that is out of range, does not advertise or has vanished`() async throws {
        let seen = try await sightings(ScanRequest(), for: .seconds(5)) { radio in
            radio.add(VirtualPeripheral(name: "Away", proximity: .outOfRange))
            radio.add(VirtualPeripheral(name: "Far", proximity: .metres(1000)))
            radio.add(VirtualPeripheral(name: "Silent", isAdvertising: false))
            let vanished = VirtualPeripheral(name: "Vanished")
            radio.add(vanished)
            vanished.vanish()
        }
        #expect(seen.isEmpty)
    }

    @Test func `hears a fraction of the packets when the window is a fraction of the interval`() async throws {
        let configuration = VirtualAdapter.Configuration(scanInterval: .milliseconds(60), scanWindow: .milliseconds(15))
        let seen = try await sightings(
            ScanRequest(allowsDuplicates: true), for: .seconds(60), configuration: configuration
        ) { $0.add(VirtualPeripheral(name: "Tag")) }
        #expect((90...200).contains(seen.count))
    }

    @Test func `hears about as many packets as the loss lets through`() async throws {
        let seen = try await sightings(ScanRequest(allowsDuplicates: true), for: .seconds(60)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag")
            radio.add(peripheral)
            peripheral.setPacketLoss(0.75)
        }
        #expect((100...190).contains(seen.count))
    }

    @Test(arguments: [
        (VirtualProximity.immediate, -40), (.near, -70), (.far, -100), (.metres(1), -59), (.metres(10), -84),
        (.rssi(-55), -55),
    ])
    func `measures a strength around the mean of the proximity`(proximity: VirtualProximity, mean: Int) async throws {
        let seen = try await sightings(ScanRequest(allowsDuplicates: true), for: .seconds(10)) { radio in
            radio.add(VirtualPeripheral(name: "Tag", proximity: proximity))
        }
        let strengths = seen.compactMap(\.rssi)
        #expect(strengths.allSatisfy { abs($0 - mean) <= 7 })
        #expect(abs(strengths.reduce(0, +) / max(strengths.count, 1) - mean) <= 1)
        #expect(Set(strengths).count > 3)
    }

    @Test func `takes a changed address for another peripheral`() async throws {
        let peripheral = VirtualPeripheral(name: "Tag", address: "C0:00:00:00:00:01")
        let seen = try await sightings(ScanRequest(), for: .seconds(1)) { radio in
            radio.add(peripheral)
        } during: { radio in
            try await radio.clock.sleep(for: .seconds(1))
            peripheral.changeAddress(to: "c0:00:00:00:00:02")
        }
        #expect(seen.map(\.peripheral) == ["C0:00:00:00:00:01", "C0:00:00:00:00:02"])
    }

    @Test
    func `goes on at the same pace, not connectable, for a peripheral that advertises while connected`() async throws {
        try await VirtualRadio.run { radio in
            let peripheral = VirtualPeripheral(name: "Tag", advertising: VirtualAdvertising(alsoWhenConnected: true))
            radio.add(peripheral)
            let recorder = await Recorder.on(radio.central())
            #expect(await recorder.connect(peripheral.identifier) == nil)
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            try await radio.clock.sleep(for: .seconds(10))
            let seen = await recorder.entries.compactMap { entry in
                if case .sighted(let sighting) = entry.event { sighting.advertisements.isConnectable } else { nil }
            }
            #expect((90...100).contains(seen.count))
            #expect(seen.allSatisfy { !$0 })
        }
    }

    @Test func `for a service reports peripherals that advertise data of it`() async throws {
        let seen = try await sightings(ScanRequest(services: ["180F"]), for: .seconds(2)) { radio in
            radio.add(
                VirtualPeripheral(
                    name: "Data",
                    advertising: VirtualAdvertising(data: PeripheralAdvertisements(serviceData: ["180F": [1]]))))
        }
        #expect(seen.count == 1)
    }

    @Test func `tells peripherals of the same name apart`() async throws {
        let seen = try await sightings(ScanRequest(), for: .seconds(1)) { radio in
            for _ in 0..<5 { radio.add(VirtualPeripheral(name: "Tag")) }
        }
        #expect(Set(seen.map(\.peripheral)).count == 5)
    }

    @Test func `a peripheral that was removed is silent until it is added again`() async throws {
        let peripheral = VirtualPeripheral(name: "Tag")
        let seen = try await sightings(ScanRequest(allowsDuplicates: true), for: .seconds(1)) { radio in
            radio.add(peripheral)
            radio.remove(peripheral)
        } during: { radio in
            try await radio.clock.sleep(for: .seconds(5))
            radio.add(peripheral)
        }
        #expect((8...11).contains(seen.count))
    }

    @Test func `ends with nil, and with the radio`() async throws {
        try await VirtualRadio.run { radio in
            radio.add(VirtualPeripheral(name: "Tag"))
            let adapter = radio.adapter()
            let recorder = await Recorder.on(radio.central(on: adapter))
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            try await radio.clock.sleep(for: .seconds(1))
            await recorder.scan(nil)
            let count = await recorder.count(isSighting)
            try await radio.clock.sleep(for: .seconds(1))
            #expect(await recorder.count(isSighting) == count)
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            adapter.powerOff()
            adapter.powerOn()
            try await radio.clock.sleep(for: .seconds(1))
            #expect(await recorder.count(isSighting) == count)
        }
    }
}
