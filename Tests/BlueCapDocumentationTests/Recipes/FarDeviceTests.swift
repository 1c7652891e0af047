// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FarDeviceTests {
    @Test func `a far device of a world advertises the twin that it was configured with`() async throws {
        let behaviour = Behaviour("a far device is sighted by its name") { world in
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(Twin(name: "Lamp"))
            try await peer.advertise(true)

            let central = try await world.makeCentral()
            try await central.whenPoweredOn(timeout: .seconds(5))
            let found = try await central.firstDiscovery(timeout: .seconds(5))
            #expect(found.peripheral.identifier == identifier)
            #expect(found.peripheral.name == "Lamp")
        }
        try await VirtualWorld.run(behaviour)
    }
}
