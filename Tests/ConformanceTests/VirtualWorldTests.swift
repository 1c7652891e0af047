import BlueCapTesting
import Testing

@Suite("The virtual radio shows every behaviour", .serialized, .timeLimit(.minutes(1)))
struct VirtualWorldTests {
    @Test("of the central role", arguments: Conformance.central)
    func central(_ behaviour: Behaviour) async throws {
        try await VirtualWorld.run(behaviour)
    }

    @Test("names of behaviours are unique")
    func names() {
        #expect(Set(Conformance.central.map(\.name)).count == Conformance.central.count)
    }
}
