// SPDX-License-Identifier: MIT

import BlueCapCore

extension Conformance {
    /// Peripherals that are away: waiting for them is one attempt, and no failure.
    static let waiting: [Behaviour] = [
        Behaviour("a reconnect policy gives up on a peripheral that is there and refuses") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            scene.peripheral.reconnectPolicy = ReconnectPolicy(
                maximumTimeouts: 1, maximumDisconnections: 5, backoff: .constant(.milliseconds(500)))
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.connect(timeout: .seconds(10))
                try await scene.peer.refuseConnections(true)
                try await scene.peer.disconnect()
                for losses in 1...2 {
                    try await events.wait { $0.count(where: \.isLoss) >= losses }
                    try await world.elapse(.milliseconds(500))
                }
                try await events.wait(for: .gaveUp)
                try expectEqual(events.all.count { $0 == .gaveUp }, 1, "how often it gave up")
                try expectEqual(events.all.count(where: \.isLoss), 3, "the loss and the attempts that failed")
            }
            try expectEqual(scene.peripheral.state, .disconnected, "the state after giving up")
        },
        Behaviour("a call under a policy throws when its timeouts are used up and the peripheral is away") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            scene.peripheral.reconnectPolicy = ReconnectPolicy(
                maximumTimeouts: 1, maximumDisconnections: 5, backoff: .constant(.milliseconds(500)))
            try await scene.peer.vanish()
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                async let connecting = outcome { () throws(PeripheralError) in
                    try await scene.peripheral.connect(timeout: .seconds(2))
                }
                try await settle("it is connecting") { scene.peripheral.state == .connecting }
                try await world.elapse(.seconds(2))
                try await events.wait(for: .timedOut)
                try await settle("the first attempt is taken back") { scene.peripheral.state != .disconnecting }
                try await world.elapse(.milliseconds(500))
                try await settle("it is connecting again") { scene.peripheral.state == .connecting }
                try await world.elapse(.seconds(2))
                try expectEqual(await connecting.failure, .connectionTimeout, "what the call throws")
                try await events.wait(for: .gaveUp)
            }
            // The platform is still cancelling the last attempt.
            await scene.peripheral.disconnect()
            try expectEqual(scene.peripheral.state, .disconnected, "the state after giving up")
        },
        Behaviour("a reconnect policy has a peripheral that was away for long back within two seconds") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            scene.peripheral.reconnectPolicy = ReconnectPolicy(
                maximumTimeouts: 1, maximumDisconnections: 1, backoff: .constant(.milliseconds(500)))
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.connect(timeout: .seconds(5))
                try await scene.peer.vanish()
                try await events.first(where: \.isLoss)
                try await world.elapse(.milliseconds(500))
                try await settle("it is connecting") { scene.peripheral.state == .connecting }
                try await scene.returnsInTime { try await events.wait { $0.count { $0 == .connected } == 2 } }
                try expect(
                    !events.all.contains(.timedOut) && !events.all.contains(.gaveUp), "the events are \(events.all)")
            }
        },
        Behaviour("a reconnect policy gives up a peripheral that is away for longer than it may be") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            scene.peripheral.reconnectPolicy = ReconnectPolicy(
                backoff: .constant(.milliseconds(500)), maximumAbsence: .seconds(10))
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.connect(timeout: .seconds(5))
                try await scene.peer.vanish()
                try await events.first(where: \.isLoss)
                try await world.elapse(.milliseconds(500))
                try await settle("it is connecting") { scene.peripheral.state == .connecting }
                try await world.elapse(.seconds(10))
                try await events.wait(for: .gaveUp)
                try expectEqual(
                    events.all.map { $0.isLoss ? .disconnected(.disconnected) : $0 },
                    [.connected, .disconnected(.disconnected), .gaveUp], "the events")
            }
            // The platform is still cancelling the attempt.
            await scene.peripheral.disconnect()
            try expectEqual(scene.peripheral.state, .disconnected, "the state after giving up")
        },
        Behaviour("a call without a timeout waits for a peripheral that is away, and connects at its return") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peer.vanish()
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                async let connecting: Void = scene.peripheral.connect()
                try await settle("it is connecting") { scene.peripheral.state == .connecting }
                try await scene.returnsInTime { try await events.wait(for: .connected) }
                try await connecting
            }
        },
    ]
}

extension Scene {
    /// Lets the peer return after a long absence, and expects `isBack` to return soon after it.
    fileprivate func returnsInTime(_ isBack: () async throws -> Void) async throws {
        try await world.pass(world.longAbsence)
        try expectEqual(peripheral.state, .connecting, "the state while the peer is away")
        try await peer.comeBack()
        let start = world.clock.elapsed
        try await isBack()
        let waited = world.clock.elapsed - start
        // The connection itself takes some events of the link.
        let bound = max(.seconds(2), world.linkInterval * 3)
        try expect(waited <= bound, "the peer was connected to \(waited) after its return")
    }
}
