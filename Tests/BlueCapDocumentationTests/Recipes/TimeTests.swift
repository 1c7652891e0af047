// SPDX-License-Identifier: MIT

// What the articles show stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The articles about time and the virtual radio", .timeLimit(.minutes(5)))
struct TimeTests {
    @Test func `a timeout passes in a run, without real time`() async throws {
        try await VirtualRadio.run { radio in
            let lamp = VirtualPeripheral(name: "Lamp")
            radio.add(lamp)
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
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
        let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
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
        let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
        radio.add(VirtualPeripheral(name: "Lamp"))
        try await radio.advance(until: { central.isPoweredOn })

        async let found = central.firstDiscovery()
        try await radio.advance(until: { central.isScanning })           // its task has begun
        try await radio.advance(by: .seconds(1))
        print(try await found.peripheral.displayName)
        #expect(printed.lines == ["Lamp"])
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

            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
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
