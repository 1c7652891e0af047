// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Links that end.
    static let losing: [Behaviour] = [
        Behaviour("a link that the peer ends is told once, with its error") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.connect()
                try await scene.peer.disconnect()
                try await events.first(where: \.isLoss)
                try expectEqual(scene.peripheral.state, .disconnected, "the state after the loss")
                try await scene.reconnect()
                try await events.first(3)
                let all = events.all
                try expect(
                    all.count == 3 && all[0] == .connected && all[1].isLoss && all[2] == .connected,
                    "the connection events are \(all)")
            }
        },
        Behaviour("a link that the program ends is told once, as forced") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await withEventRecorder(of: scene.central.connectionEvents()) { events in
                try await scene.peripheral.connect()
                await scene.peripheral.disconnect()
                try await scene.reconnect()
                try await events.first(3)
                try expectEqual(
                    events.all.map(\.event), [.connected, .forcedDisconnect, .connected], "the connection events")
                try expect(events.all.allSatisfy { $0.peripheral == scene.peripheral }, "whose events they are")
            }
        },
        Behaviour("a link to a peer that goes out of range is lost") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.connect()
                try await scene.peer.vanish()
                try await events.first(where: \.isLoss)
            }
            try await scene.peer.comeBack()
            try await scene.reconnect()
        },
        Behaviour("a lost link ends its pending reads, writes and subscriptions with their error") { world in
            let scene = try await Scene.discovered(
                TwinCharacteristic(0, .read, value: [1]),
                TwinCharacteristic(1, [.read, .write]),
                TwinCharacteristic(2, .notify), in: world)
            let (read, written) = (try scene.characteristic(0), try scene.characteristic(1))
            let notified = try scene.characteristic(2)
            try await scene.peer.hold(PeerAttribute(characteristic: 0), on: .read)
            try await scene.peer.hold(PeerAttribute(characteristic: 1), on: .write)
            try await scene.peer.hold(PeerAttribute(characteristic: 2), on: .subscribe)
            try await withThrowingTaskGroup(of: Result<Void, CharacteristicError>.self) { group in
                group.addTask { await outcome { () throws(CharacteristicError) in _ = try await read.read() } }
                try await scene.peer.wait(until: .held(PeerAttribute(characteristic: 0), .read))
                group.addTask { await outcome { () throws(CharacteristicError) in _ = try await read.read() } }
                group.addTask { await outcome { () throws(CharacteristicError) in try await written.write([2]) } }
                group.addTask {
                    await outcome { () throws(CharacteristicError) in try await notified.startNotifying() }
                }
                try await settle("all are pending") {
                    let counts = await (read.pendingReadCount, written.pendingWriteCount)
                    return counts == (2, 1)
                }
                try await scene.peer.disconnect()
                for try await result in group {
                    try expectEqual(result.failure, .disconnected, "the error of a pending operation")
                }
            }
            try expectEqual(await read.pendingReadCount, 0, "the reads pending after the loss")
            try expectEqual(await written.pendingWriteCount, 0, "the writes pending after the loss")
        },
        Behaviour("a lost link ends a pending discovery with its error") { world in
            let service = TwinService(.service(0), characteristics: [TwinCharacteristic(0, .read)])
            let scene = try await Scene.sighted(Twin(name: "Peer", services: [service]), in: world)
            try await scene.peer.holdDiscovery()
            try await scene.peripheral.connect()
            try await scene.peer.mute()
            try await withThrowingTaskGroup(of: Result<Void, PeripheralError>.self) { group in
                group.addTask { await outcome { () throws(PeripheralError) in try await scene.peripheral.discover() } }
                try await scene.losingLink { try await scene.peer.vanish() }
                let error = try await group.next()?.failure
                if error == nil, world.limit(.unaskedDiscovery) != nil {
                    // The platform had discovered by itself before. A discovery after the loss fails.
                    return try await expectThrows(PeripheralError.disconnected, "discovering after the loss") {
                        try await scene.peripheral.discover()
                    }
                }
                try expectEqual(error, .disconnected, "the error of a pending discovery")
            }
        },
        Behaviour("what is asked of a peripheral without a link throws at once") { world in
            let scene = try await Scene.discovered([.read, .write, .notify], in: world)
            let characteristic = try scene.characteristic(0)
            await scene.peripheral.disconnect()
            try await expectThrows(CharacteristicError.disconnected, "reading") { try await characteristic.read() }
            try await expectThrows(CharacteristicError.disconnected, "writing") { try await characteristic.write([1]) }
            try await expectThrows(CharacteristicError.disconnected, "subscribing") {
                try await characteristic.startNotifying()
            }
            try await expectThrows(PeripheralError.disconnected, "discovering") {
                try await scene.peripheral.discoverServices()
            }
        },
        Behaviour("a reconnect policy makes a lost connection anew") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            scene.peripheral.reconnectPolicy = ReconnectPolicy(backoff: .constant(.milliseconds(500)))
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.connect(timeout: .seconds(10))
                try await scene.peer.disconnect()
                try await events.first(where: \.isLoss)
                try await world.elapse(.milliseconds(500))
                try await events.wait { $0.count { $0 == .connected } == 2 }
            }
            try await scene.peer.wait(until: .connected)
        },
    ]
}

extension ConnectionEvent {
    /// Whether the error reports a lost link, with or without the platform's own reason.
    var isLoss: Bool {
        guard case .disconnected(let error) = self else { return false }
        if case .backend = error.reason { return true }
        return error == .disconnected
    }
}

/// Returns the outcome of an operation with errors of one type.
func outcome<Value, Failure: Error>(
    of operation: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
}
