// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A sensor of BTHome", .timeLimit(.minutes(60)))
struct BTHomeSensorTests {
    @Test func `is received with its name, and with each frame that it sends next`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let peripherals = PeripheralManager(backend: radio.peripheral())
            let central = CentralManager(backend: radio.central())
            try await peripherals.whenPoweredOn()
            let frames = [21.5, 22].map { BTHome(objects: [BTHomeObject(0x02, $0)].compactMap(\.self)) }
            try await peripherals.startAdvertising(frames[0], localName: "Cellar")
            var received: [BTHome] = []
            for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
                guard let frame = BTHome(discovery.advertisements), frame != received.last else { continue }
                #expect(discovery.advertisements.localName == (received.isEmpty ? "Cellar" : nil))
                received.append(frame)
                if received.count == 2 { break }
                try await peripherals.updateAdvertisement(frames[1])
            }
            #expect(received == frames)
            await central.invalidate()
            await peripherals.invalidate()
        }
    }
}
