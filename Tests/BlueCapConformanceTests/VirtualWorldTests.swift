// SPDX-License-Identifier: MIT

import BlueCapTesting
import Testing

@Suite("The virtual radio shows every behaviour", .serialized, .timeLimit(.minutes(60)))
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

    @Test func `each part belongs to one role and asks for something`() {
        let parts = ConformancePart.central + ConformancePart.peripheral
        #expect(parts.count == ConformancePart.allCases.count)
        #expect(Set(parts) == Set(ConformancePart.allCases))
        #expect(parts.allSatisfy { !$0.behaviours.isEmpty })
    }
}
