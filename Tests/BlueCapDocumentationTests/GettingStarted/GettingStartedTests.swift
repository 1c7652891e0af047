// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

/// The heart rate that the first strap in reach measures, in beats per minute.
func heartRate(from central: CentralManager) async throws -> Int {
    try await central.whenPoweredOn(timeout: .seconds(5))
    let strap = try await central.firstDiscovery(for: [HeartRateService.uuid], timeout: .seconds(30)).peripheral
    return try await strap.stayConnected(.never, timeout: .seconds(5), discovering: [HeartRateService.uuid]) { strap in
        let measurement = try strap.characteristic(HeartRateService.Measurement.self)
        for try await value in try await measurement.notifications(valueTimeout: .seconds(10)) {
            return Int(value.beatsPerMinute)                     // leaving the loop unsubscribes
        }
        throw CancellationError()                                // the loop ended with its task, before a value
    }
}

/// Is a strap that measures one beat more each second, until its task is cancelled.
func beStrap(with manager: PeripheralManager) async throws {
    let measurement = TypedMutableCharacteristic<HeartRateService.Measurement>()
    let service = MutableService(HeartRateService.self, characteristics: [measurement.characteristic])
    try await manager.whenPoweredOn(timeout: .seconds(5))
    try await manager.add(service, timeout: .seconds(10))
    try await manager.startAdvertising("Strap", serviceUUIDs: [HeartRateService.uuid], timeout: .seconds(10))
    for beats in 60... as PartialRangeFrom<UInt16> {
        try measurement.update(HeartRateService.Measurement(beatsPerMinute: beats))
        try await manager.clock.sleep(for: .seconds(1))
    }
}

/// The level of the first battery in reach, in percent.
func batteryLevel(from central: CentralManager) async throws -> UInt8 {
    try await central.whenPoweredOn(timeout: .seconds(5))
    let device = try await central.firstDiscovery(for: [BatteryService.uuid], timeout: .seconds(30)).peripheral
    return try await device.stayConnected(.never, timeout: .seconds(5), discovering: [BatteryService.uuid]) { device in
        try await device.characteristic(BatteryService.Level.self).read(timeout: .seconds(5)).rawValue
    }
}

private typealias Radio = VirtualRadio

@Suite("Getting started", .timeLimit(.minutes(60)))
struct GettingStartedTests {
    @Test func `the heart rate of a strap is read`() async throws {
        try await VirtualRadio.run { radio in
            let strap = PeripheralManager(backend: radio.peripheral(address: "C0:DE:00:00:00:01"))
            let central = CentralManager(backend: radio.central())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await beStrap(with: strap) }
                group.addTask {
                    let beats = try await heartRate(from: central)
                    #expect(beats >= 60)
                }
                try await group.next()                               // the first to end, with its error if it has one
                group.cancelAll()
            }
        }
    }

    @Test func `the level of the nearest battery is read`() async throws {
        let level = try await VirtualRadio.run { radio in
            let battery = VirtualService(BatteryService.uuid, characteristics: [VirtualCharacteristic("2A19", value: [42])])
            radio.add(VirtualPeripheral(name: "Lamp", services: [battery]))
            return try await batteryLevel(from: CentralManager(backend: radio.central()))
        }
        #expect(level == 42)
    }

    @Test func `an error of the strap fails the test`() async throws {
        try await VirtualRadio.run { radio in
            let backend = radio.peripheral(address: "C0:DE:00:00:00:01")
            backend.adapter.powerOff()
            let strap = PeripheralManager(backend: backend)
            let central = CentralManager(backend: radio.central())
            await #expect(throws: PeripheralManagerError.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await beStrap(with: strap) }
                    group.addTask {
                        let beats = try await heartRate(from: central)
                        #expect(beats >= 60)
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `a strap is found again after its radio was off`() async throws {
        try await VirtualRadio.run { radio in
            let backend = radio.peripheral(address: "C0:DE:00:00:00:01")
            let strap = PeripheralManager(backend: backend)
            let central = CentralManager(backend: radio.central())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await beStrap(with: strap) }
                group.addTask {
                    #expect(try await heartRate(from: central) >= 60)
                    backend.adapter.powerOff()                           // all of its links are lost
                    try await radio.clock.sleep(for: .seconds(5))
                    backend.adapter.powerOn()                            // the manager offers and advertises again
                    #expect(try await heartRate(from: central) >= 60)
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    @Test func `a program of both roles prints it`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            @Sendable func VirtualRadio() -> Radio { lab.radio }
            let radio = VirtualRadio()                                       // one radio for both
            let strap = PeripheralManager(backend: radio.peripheral(address: "C0:DE:00:00:00:01"))
            let central = CentralManager(backend: radio.central())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await beStrap(with: strap) }
                group.addTask { print(try await heartRate(from: central)) }
                try await group.next()                                       // the first to end, with its error if it has one
                group.cancelAll()
            }
            #expect(printed.lines.count == 1)
        }
    }

    @Test func `a program prints it`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            try await lab.during {
                try? await beStrap(with: lab.makePeripheralManager())
            } _: {
                print(try await heartRate(from: CentralManager()))
            }
            #expect(printed.lines.count == 1)
        }
    }
}
