// SPDX-License-Identifier: MIT

import BlueCapTesting
import Testing

@Suite("The virtual radio shows every behaviour", .serialized, .timeLimit(.minutes(5)))
struct VirtualWorldTests {
    @Test("of the central role", arguments: Conformance.central)
    func central(_ behaviour: Behaviour) async throws {
        try await VirtualWorld.run(behaviour)
    }

    @Test("of the peripheral role", arguments: Conformance.peripheral)
    func peripheral(_ behaviour: Behaviour) async throws {
        try await VirtualWorld.run(behaviour)
    }

    @Test("names of behaviours are unique")
    func names() {
        let all = Conformance.central + Conformance.peripheral
        #expect(Set(all.map(\.name)).count == all.count)
    }
}
