// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Dispatch
import Foundation
import Testing
import WireRadio

@Suite("A wire", .timeLimit(.minutes(60)))
struct WireTests {
    @Test func `carries the two roles of two managers`() async throws {
        // The sensor's side.
        let sensorBackend = WirePeripheralBackend()
        let sensor = PeripheralManager(backend: sensorBackend)
        let service = MutableService(uuid: "180F")
        service.characteristics = [MutableCharacteristic(uuid: "2A19", properties: .read, value: [99])]
        try await sensor.whenPoweredOn()
        try await sensor.add(service)
        try await sensor.startAdvertising("Sensor")

        // The phone's side.
        let phoneBackend = WireCentralBackend()
        let phone = CentralManager(backend: phoneBackend)
        try await phone.whenPoweredOn()

        // The air between them.
        let (near, far) = try Wire.makePair()
        phoneBackend.attach(near, as: "C0:DE:00:00:00:01")
        sensorBackend.attach(far, as: "C0:DE:00:00:00:02")

        let peripheral = try await phone.firstDiscovery(timeout: .seconds(30)).peripheral
        try await peripheral.connect()
        try await peripheral.discover()
        #expect(try await peripheral.characteristic("2A19").read() == [99])
        await phone.invalidate()
        await sensor.invalidate()
    }

    @Test func `ends when what arrives is no message`() async throws {
        let (near, far) = try Wire.makePair()
        let backend = WireCentralBackend()
        backend.attach(near, as: "C0:DE:00:00:00:01")
        let text = "This is no message.\n"
        #expect(write(far, text, text.utf8.count) == text.utf8.count)
        // When the backend ends, the far end of the socket reads its end of file.
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let wire = Wire(socket: far, queue: DispatchQueue(label: "WireRadio.test")) { bytes in
            if let bytes { continuation.yield(bytes) } else { continuation.finish() }
        }
        for await _ in pieces {}
        wire.close()
        await backend.invalidate()
    }

    @Test func `ends when the other side does not read`() async throws {
        let (near, far) = try Wire.makePair()
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let wire = Wire(socket: near, queue: DispatchQueue(label: "WireRadio.test")) { bytes in
            if bytes == nil { continuation.finish() }
        }
        let long = Bytes(repeating: 1, count: 1 << 18)
        for _ in 0..<16 { wire.send(.notification(attribute: 1, value: long)) }
        for await _ in pieces {}
        close(far)
    }
}
