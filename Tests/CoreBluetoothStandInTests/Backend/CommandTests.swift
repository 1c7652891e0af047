// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth
import Testing

/// Values that are written without a response, of which CoreBluetooth drops in silence each that it has no room for.
@Suite(.timeLimit(.minutes(60)))
struct CommandTests {
    private static let intervals: [Duration] = [15, 30, 45, 100, 300, 1000].map { .milliseconds($0) }

    /// Runs `body` with a characteristic of a device that was connected to and discovered.
    private func run(
        _ connection: VirtualConnection, settings: StandInSettings = .init(),
        _ body:
            @escaping @Sendable (StandInWorld, CoreBluetoothCentralBackend, VirtualCharacteristic, Characteristic)
            async throws -> Void
    ) async throws {
        try await StandInWorld.run(settings: settings) { world in
            let target = VirtualCharacteristic("FFE1", properties: [.writeWithoutResponse])
            let device = VirtualPeripheral(name: "Target", connection: connection) {
                VirtualService("FFE0") { target }
            }
            world.host.radio.add(device)
            let backend = world.attached(CoreBluetoothCentralBackend())
            let central = world.makeCentral(over: backend) { $0 }
            try await central.whenPoweredOn(timeout: .seconds(10))
            let found = try await central.firstDiscovery(timeout: .seconds(30)).peripheral
            try await found.connect(timeout: .seconds(30))
            try await found.discover(timeout: .seconds(60))
            try await body(world, backend, target, found.characteristic("FFE1"))
            await world.close()
        }
    }

    @Test(arguments: intervals, [1, 2, 4])
    func `E5: each command of a burst arrives, whatever the connection's interval and packets at an event`(
        _ interval: Duration, _ packets: Int
    ) async throws {
        let sent = (0..<100).map { Bytes([UInt8($0)]) }
        try await run(VirtualConnection(interval: interval, packetsPerEvent: packets)) { world, backend, target, own in
            for value in sent { try await own.write(value, kind: .withoutResponse, timeout: .seconds(10)) }
            // A second is at most what one interval takes.
            for _ in 0..<100 where target.writes.count < sent.count { try await world.elapse(.seconds(1)) }
            #expect(target.writes.map(\.value) == sent)
            #expect(await backend.statistics.refusedCommands == 0)
        }
    }

    @Test func `E5: a command that waits for room for three seconds fails, and all others arrive`() async throws {
        let connection = VirtualConnection(
            interval: .seconds(4), supervisionTimeout: .seconds(32), packetsPerEvent: 1)
        try await run(connection) { world, backend, target, own in
            try await own.write([9], kind: .withoutResponse, timeout: .seconds(10))
            // The next packet leaves four seconds after this one.
            #expect(try await world.wait { target.writes.count == 1 })
            let writes = (0..<40).map { number in
                world.start { try await own.write([UInt8(number)], kind: .withoutResponse, timeout: .seconds(600)) }
            }
            var written: [Bytes] = [[9]]
            for (number, write) in writes.enumerated() {
                do {
                    try await write.value
                    written.append([UInt8(number)])
                } catch CharacteristicError.backend(let failure) {
                    #expect(failure.name == "CoreBluetooth.NoRoom")
                }
            }
            #expect(written.count < 41)
            #expect(await backend.statistics.refusedCommands == 41 - written.count)
            for _ in 0..<100 where target.writes.count < written.count { try await world.elapse(.seconds(4)) }
            #expect(target.writes.map(\.value) == written)
        }
    }

    @Test func `C14: a command that is longer than the connection takes is refused, and not lost`() async throws {
        try await run(VirtualConnection(maximumTransmissionUnit: 23)) { world, _, target, own in
            await #expect(throws: CharacteristicError.valueTooLong(count: 21, maximum: 20)) {
                try await own.write(Bytes(repeating: 1, count: 21), kind: .withoutResponse, timeout: .seconds(10))
            }
            try await own.write(Bytes(repeating: 2, count: 20), kind: .withoutResponse, timeout: .seconds(10))
            #expect(try await world.wait { target.writes.map(\.value) == [Bytes(repeating: 2, count: 20)] })
        }
    }
}
