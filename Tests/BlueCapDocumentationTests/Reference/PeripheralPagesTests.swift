// SPDX-License-Identifier: MIT

// The code of the pages, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The pages of the peripheral role's types", .timeLimit(.minutes(60)))
struct PeripheralPagesTests {
    @Test func `PeripheralManager: a strap is offered and advertised`() async throws {
        try await Lab.run { lab in
            @Sendable func PeripheralManager() -> BlueCapCore.PeripheralManager { lab.makePeripheralManager() }
            let level = TypedMutableCharacteristic<BatteryService.Level>()
            let service = MutableService(BatteryService.self, characteristics: [level.characteristic])

            let manager = PeripheralManager()                   // the platform's radio; init(backend:) for another
            try await manager.whenPoweredOn(timeout: .seconds(5))
            try await manager.add(service, timeout: .seconds(5))
            try await manager.startAdvertising("Strap", serviceUUIDs: [service.uuid], timeout: .seconds(5))
            let strap = try await lab.connect(try await lab.central(), to: BatteryService.uuid)
            #expect(try await strap.characteristic(BatteryService.Level.self).read().percent == 100)
        }
    }

    @Test func `MutableService: it is made of characteristics and added`() async throws {
        try await Lab.run { lab in
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let level = TypedMutableCharacteristic<BatteryService.Level>()
            let battery = MutableService(BatteryService.self, characteristics: [level.characteristic])
            try await manager.add(battery, timeout: .seconds(5))
            #expect(battery.isAdded)
        }
    }

    @Test func `MutableCharacteristic: what is updated is read`() async throws {
        try await Lab.run { lab in
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let counter = MutableCharacteristic(
                uuid: "FFF1", properties: [.read, .notify], permissions: [.readable], value: [0])
            let service = MutableService(uuid: "FFF0")
            service.characteristics = [counter]
            try await manager.add(service, timeout: .seconds(5))
            try counter.update([1])                             // kept for reads, and sent to all who are subscribed
            try await manager.startAdvertising("Ours", serviceUUIDs: [service.uuid])
            let peripheral = try await lab.connect(try await lab.central(), to: service.uuid)
            #expect(try await peripheral.characteristic("FFF1").read() == [1])
        }
    }

    @Test func `TypedMutableCharacteristic: what is written is printed`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let service = MutableService(uuid: Lab.service)
            try await lab.during {
                let enabled = TypedMutableCharacteristic<TISensorTag.AccelerometerService.Enabled>()
                service.characteristics = [enabled.characteristic]
                try await manager.add(service, timeout: .seconds(5))
                for await request in enabled.writeRequests() {
                    request.accept()
                    print(request.newValue)                         // decoded; bytes that are no value were refused
                }
            } _: {
                try await manager.startAdvertising("Ours", serviceUUIDs: [service.uuid])
                let peripheral = try await lab.connect(try await lab.central(), to: service.uuid)
                try await peripheral.characteristic(TISensorTag.AccelerometerService.Enabled.self).write(.yes)
            }
            #expect(printed.lines == ["yes"])
        }
    }

    @Test func `WriteRequest: one byte is accepted and two are refused`() async throws {
        try await Lab.run { lab in
            let characteristic = MutableCharacteristic(uuid: "FFF1")
            let manager = try await lab.serve([characteristic])
            try await lab.during {
                for await request in characteristic.writeRequests() {
                    if request.value.count == 1 {
                        request.accept()                            // now it is the characteristic's value
                    } else {
                        request.respond(.invalidAttributeValueLength)
                    }
                }
            } _: {
                let peripheral = try await lab.connect(try await lab.central(), to: Lab.service)
                let remote = try peripheral.characteristic("FFF1")
                try await remote.write([7])
                await #expect(throws: CharacteristicError.att(.invalidAttributeValueLength)) {
                    try await remote.write([1, 2])
                }
            }
            #expect(characteristic.value == [7])
            await manager.invalidate()
        }
    }
}

@Suite("The pages of other types", .timeLimit(.minutes(60)))
struct OtherPagesTests {
    @Test func `VirtualRadio: a world is run`() async throws {
        let printed = Printed()
        @Sendable func print(_ items: Any...) { printed.add(items) }
        try await VirtualRadio.run(seed: 1) { radio in
            let level = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [100])
            radio.add(VirtualPeripheral(name: "Strap", services: [VirtualService("180F", characteristics: [level])]))

            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let strap = try await central.firstDiscovery(for: ["180F"]).peripheral
            try await strap.connect(timeout: .seconds(5))
            print(strap.displayName, strap.isConnected)     // in simulated time: nothing is waited for
        }
        #expect(printed.lines == ["Strap true"])
    }

    @Test func `VirtualPeripheral: a device is put on the air and taken out of reach`() async throws {
        try await VirtualRadio.run { radio in
            let level = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [100])
            let strap = VirtualPeripheral(name: "Strap", services: [VirtualService("180F", characteristics: [level])])
            radio.add(strap)
            level.update([99])                                  // kept for reads, and sent to all who are subscribed
            strap.vanish()                                      // out of reach: links are lost
            #expect(level.value == [99])
        }
    }

    @Test func `Bytes: they are numbers and text`() throws {
        let printed = Printed()
        func print(_ items: Any...) { printed.add(items) }
        let bytes: Bytes = [0x01, 0x10, 0x27]
        print(bytes.count, bytes[0], bytes.hex)             // 3 1 011027
        let rate: UInt16 = try bytes.read(at: 1)            // 10,000: little endian
        let typed = try Bytes(hex: "01 10 27")              // of text that a person typed
        #expect(printed.lines == ["3 1 011027"])
        #expect(rate == 10_000)
        #expect(typed == bytes)
    }
}
