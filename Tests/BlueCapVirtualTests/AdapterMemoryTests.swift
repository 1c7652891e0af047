// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapVirtual

@Suite("What a virtual adapter remembers", .timeLimit(.minutes(60)))
struct AdapterMemoryTests {
    private static func device(_ number: Int) -> VirtualPeripheral {
        VirtualPeripheral(name: "Tag \(number)") {
            VirtualService("FFF0") { VirtualCharacteristic("FFF1", properties: .read, value: [1]) }
        }
    }

    @Test func `is bounded: those unheard for longest are forgotten, one with a link is not`() async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(10_000)) { radio in
            let central = CentralManager(
                backend: radio.central(),
                configuration: .init(clock: radio.clock, maximumDiscoveredPeripherals: 4096))
            try await central.whenPoweredOn()
            let linked = Self.device(0)
            radio.add(linked)
            let peripheral = try await central.firstDiscovery().peripheral
            try await peripheral.connect()
            try await peripheral.discover()

            var met: [PeerIdentifier] = []
            for batch in 0..<24 {
                let devices = (1...50).map { Self.device(50 * batch + $0) }
                for device in devices { radio.add(device) }
                var missing = Set(devices.map(\.identifier))
                for try await sighting in central.scan() {
                    missing.remove(sighting.peripheral.identifier)
                    if missing.isEmpty { break }
                }
                for device in devices { radio.remove(device) }
                met += devices.map(\.identifier)
            }
            // The manager itself still knows all of them; another asks the adapter.
            let other = CentralManager(backend: radio.central())
            try await other.whenPoweredOn()
            let known = try await other.retrievePeripherals(withIdentifiers: met).map(\.identifier)
            #expect(met.count == 1200 && known.count <= AdapterMemory.maximumCount && known.count > 900)
            #expect(!known.contains(met[0]) && known.contains(met[1199]))
            #expect(try await peripheral.characteristic("FFF1").read() == [1])
            await central.invalidate()
            await other.invalidate()
        }
    }
}
