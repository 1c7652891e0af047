// SPDX-License-Identifier: MIT

// What the article shows stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

/// The heart rate that the first strap in reach measures, in beats per minute.
func heartRate(from central: CentralManager) async throws -> Int {
    try await central.whenPoweredOn(timeout: .seconds(5))
    let strap = try await central.firstDiscovery(for: [HeartRateService.uuid], timeout: .seconds(30)).peripheral
    try await strap.connect(timeout: .seconds(5))
    try await strap.discover([HeartRateService.uuid], timeout: .seconds(10))
    let measurement = try strap.characteristic(HeartRateService.Measurement.self)
    var beats = 0
    for try await value in try await measurement.notifications() {
        beats = Int(value.beatsPerMinute)
        break                                                    // leaving the loop unsubscribes
    }
    await strap.disconnect()                                     // BlueZ would keep the connection
    return beats
}

/// Is a strap that measures one beat more each second, until its task is cancelled.
func beStrap(with manager: PeripheralManager, clock: BlueCapClock = .continuous) async throws {
    let measurement = TypedMutableCharacteristic<HeartRateService.Measurement>()
    let service = MutableService(profile: ConfiguredServiceProfile<HeartRateService>())
    service.characteristics = [measurement.characteristic]
    try await manager.whenPoweredOn(timeout: .seconds(5))
    try await manager.add(service, timeout: .seconds(10))
    try await manager.startAdvertising("Strap", serviceUUIDs: [HeartRateService.uuid], timeout: .seconds(10))
    for beats in 60... as PartialRangeFrom<UInt16> {
        try measurement.update(HeartRateService.Measurement(beatsPerMinute: beats))
        try await clock.sleep(for: .seconds(1))
    }
}

@Suite("Getting started", .timeLimit(.minutes(5)))
struct GettingStartedTests {
    @Test func `the heart rate of a strap is read`() async throws {
        try await VirtualRadio.run { radio in
            let strap = PeripheralManager(
                backend: radio.peripheral(address: "C0:DE:00:00:00:01"), configuration: .init(clock: radio.clock))
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await beStrap(with: strap, clock: radio.clock) }
                let beats = try await heartRate(from: central)
                #expect(beats >= 60)
                group.cancelAll()
            }
        }
    }

    @Test func `a program prints it`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            try await lab.during {
                try? await beStrap(with: lab.makePeripheralManager(), clock: lab.radio.clock)
            } _: {
                print(try await heartRate(from: CentralManager()))
            }
            #expect(printed.lines.count == 1)
        }
    }
}
