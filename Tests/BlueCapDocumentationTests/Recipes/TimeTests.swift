// SPDX-License-Identifier: MIT

// The code of the articles, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The articles about time and the virtual radio", .timeLimit(.minutes(60)))
struct TimeTests {
    @Test func `a timeout passes in a run, without real time`() async throws {
        try await VirtualRadio.run { radio in
            let lamp = VirtualPeripheral(name: "Lamp")
            radio.add(lamp)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            lamp.stopAdvertising()
            await #expect(throws: PeripheralError.connectionTimeout) {
                try await peripheral.connect(timeout: .seconds(5))       // five simulated seconds
            }
        }
    }

    @Test func `a timeout passes by hand, whenever the call begins`() async throws {
        let radio = VirtualRadio(clock: ManualClock())
        let lamp = VirtualPeripheral(name: "Lamp")
        radio.add(lamp)
        let central = CentralManager(backend: radio.central())
        let peripheral = try await radio.run { _ in
            try await central.whenPoweredOn()
            return try await central.firstDiscovery().peripheral
        }
        lamp.stopAdvertising()
        async let connecting: Void = peripheral.connect(timeout: .seconds(5))
        try await radio.advance(until: { peripheral.state == .connecting })
        try await radio.advance(by: .seconds(5))                         // connecting throws .connectionTimeout, now
        do {
            try await connecting
            Issue.record("a device that does not advertise was connected")
        } catch PeripheralError.connectionTimeout {}
    }

    @Test func `a scan by hand finds a device, whenever it begins`() async throws {
        let printed = Printed()
        @Sendable func print(_ items: Any...) { printed.add(items) }
        let radio = VirtualRadio(clock: ManualClock())
        let central = CentralManager(backend: radio.central())
        radio.add(VirtualPeripheral(name: "Lamp"))
        try await radio.advance(until: { central.isPoweredOn })

        async let found = central.firstDiscovery()
        try await radio.advance(until: { central.isScanning })           // its task has begun
        try await radio.advance(by: .seconds(1))
        print(try await found.peripheral.displayName)
        #expect(printed.lines == ["Lamp"])
    }

    @Test func `a value is kept, sent, or both`() async throws {
        try await VirtualRadio.run { radio in
            let tag = VirtualPeripheral(name: "Tag") {
                VirtualService("180F") { VirtualCharacteristic("2A19", properties: [.read, .notify], value: [50]) }
            }
            radio.add(tag)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery(for: ["180F"]).peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            let remote = try peripheral.characteristic("2A19")
            var values = try await remote.notifications().makeAsyncIterator()
            let level = tag.characteristic("2A19")
            level?.setValue([49])           // kept: the next read gives it, and nothing is sent
            level?.notify([48])             // sent to those that subscribed to notifications, and not kept
            level?.update([47])             // kept, and sent to each in the way in which it subscribed
            #expect(try await values.next() == [48])
            #expect(try await values.next() == [47])
            #expect(try await remote.read() == [47])
            level?.setValue([49])
            #expect(try await remote.read() == [49])
            level?.notify([48])
            #expect(try await values.next() == [48])
            #expect(try await remote.read() == [49])
            if let low = BatteryService.Level(rawValue: 20) { level?.update(low) }
            #expect(try await values.next() == [20])
            #expect(try await remote.read() == [20])
        }
    }

    @Test func `a virtual service is made of its profile`() async throws {
        try await VirtualRadio.run { radio in
            if let profile = ProfileManager.standard.service(withUUID: BatteryService.uuid) {
                let battery = VirtualService(profile: profile)
                radio.add(VirtualPeripheral(name: "Strap", services: [battery]))
            }
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let strap = try await central.firstDiscovery(for: [BatteryService.uuid]).peripheral
            try await strap.connect()
            try await strap.discover()
            let levels = try strap.characteristic(BatteryService.Level.self)
            #expect(levels.characteristic.properties == BatteryService.Level.properties)
        }
    }

    @Test func `peripheral managers without an address are one device, and others two`() async throws {
        try await VirtualRadio.run { radio in
            let backends = [radio.peripheral(), radio.peripheral(), radio.peripheral(address: "C0:DE:00:00:00:02")]
            #expect(Set(backends.map(\.adapter.address)).count == 2)
        }
    }

    @Test func `a link is lost to a device that goes out of range`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let tag = VirtualPeripheral(name: "Thermometer") {
                VirtualService("1809") {
                    VirtualCharacteristic("2A1C", properties: [.indicate])
                    VirtualCharacteristic("2A21", properties: [.read, .write], value: [5, 0], onWrite: { _, value in
                        value.count == 2 ? .success(()) : .failure(.invalidAttributeValueLength)
                    })
                }
            }
            radio.add(tag)

            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery(for: ["1809"]).peripheral
            try await peripheral.connect(timeout: .seconds(5))

            tag.vanish()                            // out of range: the link is lost after the supervision timeout
            for await event in peripheral.connectionEvents() {
                if case .disconnected = event { break }
            }
        }
    }
}
