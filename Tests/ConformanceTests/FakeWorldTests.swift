#if BlueZ && os(Linux)
import BlueCapTesting
import FakeBlueZ
import Testing

/// The conformance suite on the BlueZ backend, over a real message bus with a scripted `org.bluez`.
@Suite("BlueZ over a scripted daemon shows every behaviour", .serialized, .timeLimit(.minutes(5)))
struct FakeWorldTests {
    @Test("of the central role", arguments: Conformance.central)
    func central(_ behaviour: Behaviour) async throws {
        try await Conformance.run(behaviour, in: FakeWorld(), limit: .seconds(240))
    }

    @Test("of the peripheral role", arguments: Conformance.peripheral)
    func peripheral(_ behaviour: Behaviour) async throws {
        try await Conformance.run(behaviour, in: FakeWorld(), limit: .seconds(240))
    }
}
#endif
