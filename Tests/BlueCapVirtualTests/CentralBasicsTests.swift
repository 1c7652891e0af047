// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A central on the virtual radio", .timeLimit(.minutes(60)))
struct CentralBasicsTests {
    private func batteryPeripheral() -> VirtualPeripheral {
        VirtualPeripheral(
            name: "Battery",
            services: [
                VirtualService("180F") {
                    VirtualCharacteristic("2A19", properties: [.read, .write, .notify], value: [100])
                }
            ])
    }

    @Test func `sights a peripheral once, with its name, services and signal strength`() async throws {
        try await VirtualRadio.run { radio in
            let peripheral = batteryPeripheral()
            radio.add(peripheral)
            let recorder = await Recorder.on(radio.central())
            await recorder.scan(ScanRequest())
            let sighting = try #require(await recorder.sighting(of: "Battery"))
            #expect(sighting.peripheral == peripheral.identifier)
            #expect(sighting.advertisements.serviceUUIDs == ["180F"])
            #expect((-80 ... -60).contains(sighting.rssi ?? 0))
            try await radio.clock.sleep(for: .seconds(10))
            #expect(await recorder.count { if case .sighted = $0 { true } else { false } } == 1)
        }
    }

    @Test func `connects, discovers, reads, writes and is notified`() async throws {
        try await VirtualRadio.run { radio in
            let peripheral = batteryPeripheral()
            radio.add(peripheral)
            let id = peripheral.identifier
            let recorder = await Recorder.on(radio.central())
            let level = try await recorder.open(peripheral).characteristic("2A19")
            #expect(await recorder.perform(.read(id, level)) == .success(.value([100])))
            #expect(await recorder.perform(.write(id, level, [42], .withResponse)) == .success(.done))
            #expect(peripheral.characteristic("2A19")?.value == [42])
            #expect(await recorder.perform(.setNotifying(id, level, true, .standard)) == .success(.done))
            peripheral.characteristic("2A19")?.notify([7])
            #expect(await recorder.value(of: level) == [7])
            await recorder.disconnect(id)
            #expect(await recorder.disconnection(of: id).failure == nil)
            #expect(peripheral.connectionCount == 0)
        }
    }
}
