// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapTesting
import Testing
import WireRadio

@Suite("A device that says what does not fit", .timeLimit(.minutes(60)))
struct UntrustedDeviceTests {
    @Test func `gives no answer to what was not asked`() async throws {
        try await Stage.run { stage in
            await stage.device.send(.value(request: 1_000_000, value: [9]))
            await stage.device.send(.done(request: 1_000_001))
            let value = try await stage.characteristic.read()
            #expect(value == [1])
        }
    }

    @Test func `gives no answer of another kind than was asked for`() async throws {
        try await Stage.run { stage in
            try await stage.device.hold(PeerAttribute(), on: .read)
            async let value = stage.characteristic.read()
            try await stage.device.wait(until: .held(PeerAttribute(), .read))
            guard case .read(let request, _)? = await stage.device.held.values.first?.first else {
                throw ConformanceFailure("no read is held")
            }
            await stage.device.send(.done(request: request))
            try await stage.device.release(PeerAttribute(), on: .read)
            #expect(try await value == [1])
        }
    }

    @Test(arguments: [Message.connect(link: 1), .read(request: 1, attribute: 2), .confirmation(attribute: 2)])
    func `loses its link when it speaks as a central`(message: Message) async throws {
        try await Stage.run { stage in
            try await withEventRecorder(of: stage.peripheral.connectionEvents()) { events in
                await stage.device.send(message)
                try await events.wait(for: .disconnected(.disconnected))
            }
        }
    }

    @Test func `does not end a link by what it says of an earlier one`() async throws {
        try await Stage.run { stage in
            await stage.device.send(.disconnected(link: 0))
            let value = try await stage.characteristic.read()
            #expect(value == [1])
        }
    }

    @Test func `makes no link that was not asked for`() async throws {
        let backend = WireCentralBackend()
        let (events, continuation) = AsyncStream.makeStream(of: CentralEvent.self)
        await backend.activate(clock: .continuous, sink: CentralEventSink { continuation.yield($0) })
        await backend.scan(ScanRequest())
        let device = WireDevice(index: 0, backend: backend)
        _ = try await device.configure(Twin(name: "Device"))
        await device.send(.connected(link: 1, maximumTransmissionUnit: 100, services: []))
        try await device.advertise(true)
        loop: for await event in events {
            switch event {
            case .connected: Issue.record("a link that nobody asked for was reported")
            case .sighted: break loop
            default: continue
            }
        }
        await backend.invalidate()
    }
}

/// A device with one characteristic, connected and discovered.
private struct Stage {
    let central: CentralManager
    let device: WireDevice
    let peripheral: Peripheral
    let characteristic: Characteristic

    static func run(_ body: (Stage) async throws -> Void) async throws {
        let world = WireWorld()
        let central = try await world.makeCentral()
        let device = await world.device(0)
        let service = TwinService("180F", characteristics: [TwinCharacteristic("2A19", properties: .read, value: [1])])
        let identifier = try await device.configure(Twin(name: "Device", services: [service]))
        try await device.advertise(true)
        try await central.whenPoweredOn()
        let peripheral = try await central.firstDiscovery().peripheral
        #expect(peripheral.identifier == identifier)
        try await peripheral.connect()
        try await peripheral.discover()
        try await body(
            Stage(
                central: central, device: device, peripheral: peripheral,
                characteristic: peripheral.characteristic("2A19")))
        await world.close()
    }
}
