// SPDX-License-Identifier: MIT

import BlueCapTesting
import Testing
import WireRadio

@Suite("The wires show the behaviours of their part of the suite", .serialized, .timeLimit(.minutes(60)))
struct ConformanceTests {
    @Test(
        arguments: Conformance.behaviours(
            of: .scanning, .connecting, .losing, .waiting, .power, .reading, .writing, .attErrors, .notifying,
            .notifyingAtScale, .descriptors, .database))
    func `of the central role`(_ behaviour: Behaviour) async throws {
        try await Conformance.run(behaviour, in: WireWorld())
    }

    @Test(arguments: Conformance.behaviours(of: .serving, .refusing, .updating))
    func `of the peripheral role`(_ behaviour: Behaviour) async throws {
        try await Conformance.run(behaviour, in: WireWorld())
    }
}
