// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSharedRadio
import BlueCapTesting
import BlueCapVirtual
import Testing

@Suite("A shared radio shows every behaviour to its guests", .serialized, .timeLimit(.minutes(60)))
struct SharedWorldTests {
    @Test(arguments: Conformance.central)
    func `of the central role`(_ behaviour: Behaviour) async throws { try await run(behaviour) }

    @Test(arguments: Conformance.peripheral)
    func `of the peripheral role`(_ behaviour: Behaviour) async throws { try await run(behaviour) }

    private func run(_ behaviour: Behaviour) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let world = VirtualWorld(radio: radio, backends: .guests(of: radio))
            try await Conformance.run(behaviour, in: world, limit: .seconds(3600))
        }
    }
}

#if os(Linux)
/// Behaviours over a socket, in real time: of each kind of message some.
@Suite("Guests over a socket", .timeLimit(.minutes(60)))
struct SocketWorldTests {
    private static let parts: [ConformancePart] = [.reading, .writing, .notifying, .pairing]
    /// Those of channels that take no time to speak of.
    private static let quick: Set = [
        "eight channels on one link have units of their own", "units and bytes are counted",
        "a PSM on which the peer takes no channels is refused by it", "an encrypted channel pairs first",
    ]
    private static let channels = ConformancePart.channels.behaviours.filter { quick.contains($0.name) }

    @Test(arguments: parts.flatMap(\.behaviours) + channels)
    func `show a behaviour`(_ behaviour: Behaviour) async throws {
        let place = try SocketPlace()
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let world = VirtualWorld(radio: radio, backends: .guests(at: place.path))
        try await Conformance.run(behaviour, in: world, limit: .seconds(3600))
        shared.stop()
    }
}
#endif
