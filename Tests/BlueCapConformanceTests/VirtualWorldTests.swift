// SPDX-License-Identifier: MIT

import BlueCapTesting
import Testing

@Suite("The virtual radio shows every behaviour", .serialized, .timeLimit(.minutes(5)))
struct VirtualWorldTests {
    @Test(arguments: Conformance.central)
    func `of the central role`(_ behaviour: Behaviour) async throws {
        try await VirtualWorld.run(behaviour)
    }

    @Test(arguments: Conformance.peripheral)
    func `of the peripheral role`(_ behaviour: Behaviour) async throws {
        try await VirtualWorld.run(behaviour)
    }

    @Test func `names of behaviours are unique`() {
        let all = Conformance.central + Conformance.peripheral
        #expect(Set(all.map(\.name)).count == all.count)
    }
}
