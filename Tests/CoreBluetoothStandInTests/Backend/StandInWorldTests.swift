// SPDX-License-Identifier: MIT

import BlueCapTesting
import Testing

/// The conformance suite on the CoreBluetooth backend, over the stand-in.
@Suite("CoreBluetooth over the stand-in shows every behaviour", .serialized, .timeLimit(.minutes(5)))
struct StandInWorldTests {
    @Test(arguments: StandInLimits.possible(Conformance.central))
    func `of the central role`(_ behaviour: Behaviour) async throws { try await StandInWorld.run(behaviour) }

    @Test(arguments: StandInLimits.possible(Conformance.peripheral))
    func `of the peripheral role`(_ behaviour: Behaviour) async throws { try await StandInWorld.run(behaviour) }

    @Test func `the claimed parts have at most 40 limits, each with its rule`() {
        #expect(StandInLimits.claimedCount <= 40)
        let rules = StandInLimits.all.map { String($0.reason.prefix { $0 != ":" }) } + StandInLimits.impossible.keys
        #expect(rules.allSatisfy { $0.count == 2 || $0.count == 3 })
    }

    @Test func `each behaviour that is left out is one of the suite`() {
        let all = Conformance.central + Conformance.peripheral
        let names = StandInLimits.impossible.values.joined()
        #expect(Set(names).subtracting(all.map(\.name)).isEmpty)
        #expect(StandInLimits.possible(all).count == all.count - names.count)
    }
}
