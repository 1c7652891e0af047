// SPDX-License-Identifier: MIT

// The code of the article of BlueCapCapture, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCapture
import BlueCapCore
import BlueCapRuntime
import Foundation
import Synchronization
import Testing

@Suite("Captures", .timeLimit(.minutes(60)))
struct CaptureExamples {
    /// A lamp that says three times how full its battery is.
    private static let lamp = Twin(
        address: "C0:DE:00:00:00:01", name: "Lamp",
        advertisement: TwinAdvertisement(data: PeripheralAdvertisements(localName: "Lamp", serviceUUIDs: ["180F"])),
        services: [
            TwinService(
                "180F",
                characteristics: [
                    TwinCharacteristic(
                        "2A19", properties: [.read, .notify], value: [100],
                        notifications: (1...3).map {
                            TwinNotification(after: .seconds($0), value: [UInt8(100 - $0)])
                        })
                ])
        ])
    private let lampJSON = Self.lamp.json.utf8

    @Test
    func `a twin is a unit test's device`() async throws {
        let lampJSON = lampJSON
        let levels = try await VirtualRadio.run { radio in
            radio.add(twin: try Twin(json: lampJSON))

            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            let lamp = try await central.firstDiscovery(for: ["180F"], timeout: .seconds(10)).peripheral
            try await lamp.connect(timeout: .seconds(5))
            try await lamp.discover(timeout: .seconds(5))
            let level = try lamp.characteristic("2A19")
            var levels: [Bytes] = []
            for try await value in try await level.notifications(timeout: .seconds(5)) {
                levels.append(value)                        // what the lamp sent, as long after the subscription
                if levels.count == 3 { break }
            }
            return levels
        }
        #expect(levels == [[99], [98], [97]])
    }

    @Test
    func `a file is read, and the devices in it are found`() async throws {
        let recording = try await captured()
        let path = NSTemporaryDirectory() + "bluecap-\(UUID().uuidString).btsnoop"
        try Data(recording).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let printed = Locked<[String]>([])
        func print(_ items: Any...) { printed.withLock { $0.append(items.map { "\($0)" }.joined(separator: " ")) } }
        do {
            var analysis = CaptureAnalysis()
            let file = try CaptureFile(path)                    // btsnoop, pcap, pcapng, Apple PacketLogger
            while let packet = try file.next() { analysis.add(packet) }
            for device in analysis.devices { print(device.identifier, device.name ?? "-") }
            if let twin = analysis.twin(of: "C0:DE:00:00:00:01") { print(twin.json) }
        }
        let lines = printed.withLock { $0 }
        #expect(lines.contains("C0:DE:00:00:00:01 Lamp"))
        #expect(try Twin(json: (lines.last ?? "").utf8).services.map(\.uuid) == ["180F"])
    }

    /// The packets of a central that uses the lamp, as a file.
    private func captured() async throws -> [UInt8] {
        let file = Locked<[UInt8]>([])
        try await VirtualRadio.run { radio in
            try await capture(radio) { bytes in file.withLock { $0 = bytes } }
        }
        return file.withLock { $0 }
    }

    private func capture(_ radio: VirtualRadio, _ done: @Sendable ([UInt8]) -> Void) async throws {
        let writer = CaptureWriter(.btsnoop(.uart))
        let recording = Locked(writer.header)
        let capture = radio.capture { packet in
            if let record = writer.record(packet) { recording.withLock { $0 += record } }
        }
        radio.add(twin: Self.lamp)
        let central = CentralManager(backend: radio.central())
        try await central.whenPoweredOn(timeout: .seconds(5))
        let lamp = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
        try await lamp.connect(timeout: .seconds(5))
        try await lamp.discover(timeout: .seconds(5))
        await central.invalidate()
        capture.stop()
        done(recording.withLock { $0 })
    }

    @Test
    func `what a virtual run does is captured`() async throws {
        try await VirtualRadio.run { radio in
            let writer = CaptureWriter(.btsnoop(.monitor))
            let recording = Mutex(writer.header)
            let capture = radio.capture { packet in
                if let record = writer.record(packet) { recording.withLock { $0 += record } }
            }
            radio.add(twin: Self.lamp)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            _ = try await central.firstDiscovery(timeout: .seconds(10))
            await central.invalidate()
            capture.stop()
            let file = recording.withLock { $0 }                // the bytes of a file that Wireshark opens
            var reader = CaptureReader()
            reader.append(file)
            #expect(try reader.next()?.kind == .controllerAdded)
        }
    }

    @Test
    func `a twin is what a manager offers`() async throws {
        let lampJSON = lampJSON
        try await VirtualRadio.run { radio in
            let clock = radio.clock
            let manager = PeripheralManager(
                backend: radio.peripheral(address: "00:00:5E:00:53:02"), configuration: .init(clock: clock))
            try await manager.whenPoweredOn(timeout: .seconds(5))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let device = TwinPeripheral(try Twin(json: lampJSON))
                    try await manager.add(device.services, timeout: .seconds(10))
                    try await device.startAdvertising(on: manager, timeout: .seconds(10))
                    await device.run(on: manager, clock: clock)         // until the task is cancelled
                }
                let central = CentralManager(backend: radio.central(), configuration: .init(clock: clock))
                try await central.whenPoweredOn(timeout: .seconds(5))
                let lamp = try await central.firstDiscovery(for: ["180F"], timeout: .seconds(10)).peripheral
                try await lamp.connect(timeout: .seconds(5))
                try await lamp.discover(timeout: .seconds(5))
                var values: [Bytes] = []
                for try await value in try await lamp.characteristic("2A19").notifications(timeout: .seconds(5)) {
                    values.append(value)
                    if values.count == 3 { break }
                }
                #expect(values == [[99], [98], [97]])
                await central.invalidate()
                group.cancelAll()
            }
            await manager.invalidate()
        }
    }
}
