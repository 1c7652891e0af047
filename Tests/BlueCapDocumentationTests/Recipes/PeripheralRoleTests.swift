// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The article about the peripheral role", .timeLimit(.minutes(60)))
struct PeripheralRoleTests {
    static let uuid: BluetoothUUID = "FFF1"

    @Test func `waits for the radio`() async throws {
        try await Lab.run { lab in
            @Sendable func PeripheralManager() -> BlueCapCore.PeripheralManager { lab.makePeripheralManager() }
            let elapsed = try await lab.switchingOn(lab.server) {
                let manager = PeripheralManager()                                  // the platform's radio; init(backend:) for another
                try await manager.whenPoweredOn(timeout: .seconds(5))
                #expect(manager.isPoweredOn)
            }
            #expect(elapsed == .seconds(2))
        }
    }

    @Test func `adds a service and advertises it`() async throws {
        try await Lab.run { lab in
            lab.radio.remove(lab.tag)
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<TISensorTag.AccelerometerService.Data>())
            let enabled = MutableCharacteristic(profile: RawCharacteristicProfile<TISensorTag.AccelerometerService.Enabled>())
            let service = MutableService(TISensorTag.AccelerometerService.self, characteristics: [data, enabled])
            try await manager.add(service)
            try await manager.startAdvertising(TISensorTag.AccelerometerService.name, serviceUUIDs: [service.uuid])
            try await manager.updateAdvertisement(Advertisement(localName: "Tag", serviceUUIDs: [service.uuid]))
            try await manager.stopAdvertising()
            #expect(!manager.isAdvertising)
            try await manager.startAdvertising("Tag", serviceUUIDs: [service.uuid])
            let peripheral = try await lab.connect(try await lab.central(), to: service.uuid)
            #expect(peripheral.services.first?.characteristics.map(\.uuid) == [data.uuid, enabled.uuid])
        }
    }

    @Test func `is told when an advertisement is on the air and off it`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            try await lab.during {
                for await event in manager.advertisingEvents() {
                    switch event.kind {
                    case .started: print("on the air")
                    case .interrupted(let error): print("off the air for now: \(error)")   // it comes back by itself
                    case .ended(let end): print("off the air: \(end)")                    // stopped, timeOver, or refused with the reason
                    }
                }
            } _: {
                try await manager.startAdvertising("Tag", timeout: .seconds(5))
                try await manager.stopAdvertising(timeout: .seconds(5))
                try await lab.radio.clock.sleep(for: .seconds(1))
            }
            #expect(printed.lines == ["on the air", "off the air: stopped"])
        }
    }

    @Test func `is an iBeacon`() async throws {
        try await Lab.run { lab in
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"
            let region = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1, minor: 7)
            try await manager.startAdvertising(region, measuredPower: -59, timeout: .seconds(10))
            let beacons = BeaconManager(central: try await lab.central())
            let heard = await beacons.ranging(region).first { !$0.isEmpty }
            #expect(heard?.map(\.minor) == [7])
        }
    }

    @Test func `makes up values for reads`() async throws {
        try await Lab.run { lab in
            let clock = MutableCharacteristic(uuid: Self.uuid, properties: .read, permissions: .readable)
            let manager = try await lab.serve([clock])
            try await lab.during {
                let began = ContinuousClock.now
                for await request in clock.readRequests() {
                    let seconds = UInt32((ContinuousClock.now - began) / .seconds(1))
                    request.respond(seconds)                                       // the whole value: the rest from the offset is sent
                }
            } _: {
                let peripheral = try await lab.connect(try await lab.central(), to: Lab.service)
                #expect(try await peripheral.characteristic(Self.uuid).read().count == 4)
            }
            await manager.invalidate()
        }
    }

    @Test func `answers writes`() async throws {
        try await Lab.run { lab in
            let enabled = MutableCharacteristic(uuid: Self.uuid, properties: [.write, .notify], permissions: .writeable)
            let manager = try await lab.serve([enabled])
            try await lab.during {
                for await request in enabled.writeRequests(capacity: .newest(10)) {
                    guard request.value.count == 1 else { request.respond(.invalidAttributeValueLength); continue }
                    guard let byte = request.value.first, byte <= 1 else { request.respond(ATTError(rawValue: 0x80)); continue }
                    request.accept()
                    try enabled.update(request.value)                              // where it can notify: accept() sends nothing to subscribers
                }
            } _: {
                let peripheral = try await lab.connect(try await lab.central(), to: Lab.service)
                let remote = try peripheral.characteristic(Self.uuid)
                try await remote.write([1])
                #expect(enabled.value == [1])
                await #expect(throws: CharacteristicError.att(.invalidAttributeValueLength)) {
                    try await remote.write([1, 2])
                }
                await #expect(throws: CharacteristicError.att(ATTError(rawValue: 0x80))) { try await remote.write([2]) }
                var values = try await remote.notifications().makeAsyncIterator()
                try await remote.write([0])
                #expect(try await values.next() == [1])                            // waited for the first subscriber
                #expect(try await values.next() == [0])
            }
            await manager.invalidate()
        }
    }

    @Test func `has characteristics of a type, and refuses what is no value`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let uuid = Self.uuid
            let service = MutableService(uuid: Lab.service)
            let level = TypedMutableCharacteristic<BatteryService.Level>()     // as the type declares it, its initial value included
            let enabled = TypedMutableCharacteristic<TISensorTag.AccelerometerService.Enabled>()
            let names = TypedMutableCharacteristic(uuid: uuid, properties: [.read, .write], value: "Lamp")    // any type, any UUID
            service.characteristics = [level.characteristic, enabled.characteristic, names.characteristic]
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            try await manager.add(service)
            try await manager.startAdvertising("Ours", serviceUUIDs: [Lab.service])
            try await lab.during {
                for await request in enabled.writeRequests(capacity: .newest(10)) {
                    request.accept()
                    print("switched", request.newValue == .yes ? "on" : "off")
                }
            } _: {
                let peripheral = try await lab.connect(try await lab.central(), to: Lab.service)
                #expect(try await peripheral.characteristic(BatteryService.Level.self).read() == level.value)
                let remote = try peripheral.characteristic(TISensorTag.AccelerometerService.Enabled.self)
                try await remote.write(.yes)
                await #expect(throws: CharacteristicError.att(.valueNotAllowed)) {
                    try await remote.characteristic.write([7])
                }
                await #expect(throws: CharacteristicError.att(.invalidAttributeValueLength)) {
                    try await remote.characteristic.write([1, 2])
                }
                try await remote.write(.no)
                #expect(printed.lines == ["switched on", "switched off"])
                #expect(enabled.value == .no)
                let name = TypedCharacteristic<String>(try peripheral.characteristic(uuid))
                #expect(try await name.read() == "Lamp")
            }
            await manager.invalidate()
        }
    }

    @Test func `updates who subscribed, and is told who did`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<TISensorTag.AccelerometerService.Data>())
            let manager = try await lab.serve([data])
            try await lab.during {
                for await event in data.subscriptions() {
                    print(event.kind, event.central, data.subscribers.count)
                }
            } _: {
                let peripheral = try await lab.connect(try await lab.central(), to: Lab.service)
                let remote = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.self)
                var samples = try await remote.notifications().makeAsyncIterator()
                try data.update(TISensorTag.AccelerometerService.Data(xRaw: -64, yRaw: -32, zRaw: -96))
                let sample = try await samples.next()
                #expect(sample?.xRaw == -64)
                #expect(printed.lines.count == 1)
                #expect(printed.lines.first?.hasSuffix(" 1") ?? false)
            }
            await manager.invalidate()
        }
    }

    @Test func `gives a value to centrals that the user agrees to only`() async throws {
        try await Lab.run { lab in
            let (uuid, user) = (Self.uuid, User())
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let requests = manager.pairingRequests()
            let secret = MutableCharacteristic(
                uuid: uuid, properties: .read, permissions: .readEncryptionRequired, value: [7])
            let service = MutableService(uuid: Lab.service)
            service.characteristics = [secret]
            try await manager.add(service)
            try await manager.startAdvertising("Ours", serviceUUIDs: [Lab.service])
            try await lab.during {
                for await request in requests where await user.agrees(to: request.peer) { request.accept() }
            } _: {
                let central = try await lab.central(acceptsJustWorks: true)
                let peripheral = try await lab.connect(central, to: Lab.service)
                #expect(try await peripheral.characteristic(uuid).read() == [7])
            }
        }
    }
}
