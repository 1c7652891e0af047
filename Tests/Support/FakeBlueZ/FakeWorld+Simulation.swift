// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
package import BlueCapTesting
import BlueCapDBus

/// Random programs play here too: make the world so that all time passes by itself.
extension FakeWorld: SimulationGround {
    package var tolerance: Duration { .zero }

    package func begin(_ fault: ServiceFault) async throws { await fake.begin(fault) }

    package func end(_ fault: ServiceFault) async throws { await fake.end(fault) }

    package func remains() async throws -> [String: Int] {
        try await fake.with { daemon in
            [
                "registrations": daemon.registrationCount, "discoveries": daemon.sessions.count,
                "agents": daemon.agents.capabilities.count,
                "links": daemon.devices.values.count(where: \.isConnected),
                "subscriptions": daemon.devices.values.reduce(0) { $0 + ($1.gatt?.subscriptionCount ?? 0) },
            ].filter { $0.value > 0 }
        }
    }
}
#endif
