// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let connecting: [Behaviour] = [
        Behaviour("a central connects to a peripheral by its sighting") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peripheral.connect()
            try expectEqual(scene.peripheral.name, "Peer", "the name")
            try expectEqual(try await scene.peer.connections(), .init(current: 1, total: 1), "the peer's connections")
        },
        Behaviour("the state is disconnected, then connected, then disconnected") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try expectEqual(scene.peripheral.state, .disconnected, "the state before")
            try await scene.peripheral.connect()
            try expectEqual(scene.peripheral.state, .connected, "the state when connected")
            await scene.peripheral.disconnect()
            try expectEqual(scene.peripheral.state, .disconnected, "the state after")
            try await scene.peer.wait(until: .disconnected)
        },
        Behaviour("a peripheral is connected to again and again") { world in
            let scene = try await Scene.connected(Twin(name: "Peer"), in: world)
            for time in 2...3 {
                await scene.peripheral.disconnect()
                try await scene.peer.wait(until: .disconnected)
                try await scene.reconnect()
                let expected = PeerConnections(current: 1, total: time)
                try expectEqual(try await scene.peer.connections(), expected, "the peer's connections")
            }
        },
        Behaviour("connecting throws when its timeout passes, and nothing stays pending") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peer.vanish()
            let outcome = try await scene.elapsing(.seconds(1)) {
                try await scene.peripheral.connect(timeout: .seconds(1))
            }
            try expectFailure(outcome, PeripheralError.connectionTimeout, "connecting to a peripheral out of range")
            await scene.peripheral.disconnect()
            try expectEqual(scene.peripheral.state, .disconnected, "the state after the timeout")
            try await scene.peer.comeBack()
            try await scene.reconnect()
            let expected = PeerConnections(current: 1, total: 1)
            try expectEqual(try await scene.peer.connections(), expected, "the connections once it is back in range")
        },
        Behaviour("connecting that is cancelled leaves nothing connected or pending") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peer.vanish()
            try await withThrowingTaskGroup(of: Result<Void, PeripheralError>.self) { group in
                group.addTask {
                    do throws(PeripheralError) { return .success(try await scene.peripheral.connect()) } catch {
                        return .failure(error)
                    }
                }
                try await settle("it is connecting") { scene.peripheral.state == .connecting }
                group.cancelAll()
                let outcome = try await group.next()
                try expectEqual(outcome?.failure, .cancelled, "the error of a connect that was cancelled")
            }
            await scene.peripheral.disconnect()
            try expectEqual(scene.peripheral.state, .disconnected, "the state after cancelling")
            try await scene.peer.comeBack()
            try await scene.central.sight(scene.peripheral.identifier)
            let expected = PeerConnections(current: 0, total: 0)
            try expectEqual(try await scene.peer.connections(), expected, "the connections after cancelling")
            try await scene.peripheral.connect()
        },
        Behaviour("two that connect at once share one attempt") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            _ = try await together {
                try await scene.peripheral.connect()
            } _: {
                try await scene.peripheral.connect()
            }
            try expectEqual(try await scene.peer.connections(), .init(current: 1, total: 1), "the peer's connections")
        },
        Behaviour("one of two that connect is cancelled and the other's attempt goes on") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peer.vanish()
            async let stays: Void = scene.peripheral.connect()
            try await settle("it is connecting") { scene.peripheral.state == .connecting }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await scene.peripheral.connect() }
                group.cancelAll()
                try await expectThrows(for: [.cancelled], "the connect that was cancelled") { try await group.next() }
            }
            try expectEqual(scene.peripheral.state, .connecting, "the state after one was cancelled")
            try await scene.peer.comeBack()
            try await stays
        },
        Behaviour("a connection that the peer refuses throws, and is made once it does not") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peer.refuseConnections(true)
            let refused = await outcome { () throws(PeripheralError) in try await scene.peripheral.connect() }
            let error = try require(refused.failure, "the error of a connection that the peer refuses")
            try expect(error == .disconnected || error.isBackend, "a connection that the peer refuses threw \(error)")
            try await scene.peer.refuseConnections(false)
            try await scene.reconnect()
        },
        Behaviour("several peripherals are connected at once") { world in
            let central = try await world.makePoweredCentral()
            var peripherals: [Peripheral] = []
            for index in 0..<3 {
                let service = TwinService(
                    .service(0),
                    characteristics: [TwinCharacteristic(0, .read, value: [UInt8(index)])])
                let description = Twin(name: "Peer \(index)", services: [service])
                let identifier = try await world.peer(index).advertising(description)
                let peripheral = try await central.sight(identifier)
                try await peripheral.connect()
                peripherals.append(peripheral)
            }
            for (index, peripheral) in peripherals.enumerated() {
                try await peripheral.discover()
                let value = try await peripheral.characteristic(.characteristic(0)).read()
                try expectEqual(value, [UInt8(index)], "the value of peripheral \(index)")
            }
        },
        Behaviour("the ATT_MTU is known once services are discovered, and is the smaller of both sides'") { world in
            let service = TwinService(.service(0), characteristics: [TwinCharacteristic(0, .read)])
            let scene = try await Scene.discovered(Twin(name: "Peer", mtu: 100, services: [service]), in: world)
            try expectEqual(scene.peripheral.maximumTransmissionUnit, 100, "the ATT_MTU")
            try expectEqual(scene.peripheral.maximumWriteLength(for: .withoutResponse), 97, "the longest command")
        },
        Behaviour("an ATT_MTU lies between 23 and 517") { world in
            let scene = try await Scene.discovered(.read, in: world)
            let mtu = try require(scene.peripheral.maximumTransmissionUnit, "the ATT_MTU")
            try expect((23...517).contains(mtu), "an ATT_MTU of \(mtu) is none")
        },
        Behaviour("scopes share a link, which the last one to leave ends") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await scene.peripheral.stayConnected { peripheral in
                    try await peripheral.stayConnected { _ in }
                    try expect(peripheral.isConnected, "the first scope that left has ended the link")
                }
                try await events.first(2)
                try expectEqual(events.all, [.connected, .forcedDisconnect], "the connection events")
            }
        },
        Behaviour("a scope that begins while the last one disconnects waits for a new link") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        _ = try? await scene.peripheral.stayConnected { _ in
                            try await scene.central.clock.sleep(for: .seconds(3600))
                        }
                    }
                    try await events.first(1)
                    group.cancelAll()
                }
                // In a cancelled task nothing waits for the end of the link.
                try await scene.peripheral.stayConnected { _ in }
                try await events.first(4)
                try expectEqual(
                    events.all, [.connected, .forcedDisconnect, .connected, .forcedDisconnect], "the connection events")
            }
        },
        Behaviour("a run on the manager's executor connects, in a child task too") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.central.run {
                try await scene.peripheral.connect()
                await scene.peripheral.disconnect()
                async let again: Void = scene.peripheral.connect()
                try await again
            }
            let expected = PeerConnections(current: 1, total: 2)
            try expectEqual(try await scene.peer.connections(), expected, "the peer's connections")
        },
        Behaviour("a connection has the parameters that were asked for, at once or from the next one on") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            for interval in [Duration.microseconds(8750), .milliseconds(30)] {
                let parameters = try ConnectionParameters(
                    interval: interval...interval, latency: 1, supervisionTimeout: .milliseconds(2500))
                if let limit = world.limit(.connectionParameters), let reason = limit.error {
                    return try await expectThrows(for: [reason], "setting parameters") {
                        try await scene.peripheral.setConnectionParameters(parameters)
                    }
                }
                if try await scene.peripheral.setConnectionParameters(parameters) == .nextConnection {
                    await scene.peripheral.disconnect()
                    try await scene.peripheral.connect()
                    try await scene.peripheral.discover()
                }
                try await scene.peer.wait(forConnection: parameters)
                try expectEqual(try await scene.characteristic().read(), [1], "the value")
            }
        },
        Behaviour("parameters for no connection are refused") { world in
            let scene = try await Scene.connected(Twin(name: "Peer"), in: world)
            let parameters = try ConnectionParameters(interval: .milliseconds(15)...(.milliseconds(30)))
            await scene.peripheral.disconnect()
            try await expectThrows(for: [.disconnected], "setting parameters") {
                try await scene.peripheral.setConnectionParameters(parameters)
            }
        },
        Behaviour("the signal strength of a connection is read") { world in
            let scene = try await Scene.connected(Twin(name: "Peer"), in: world)
            if let limit = world.limit(.rssi), let reason = limit.error {
                return try await expectThrows(for: [reason], "reading the signal strength") {
                    try await scene.peripheral.readRSSI()
                }
            }
            let rssi = try await scene.peripheral.readRSSI()
            try expect((-127...20).contains(rssi), "a signal strength of \(rssi) dBm is none")
            try expectEqual(scene.peripheral.rssi, rssi, "the last known signal strength")
        },
    ]
}

extension PeripheralError {
    /// Whether the error is in the platform's own words.
    fileprivate var isBackend: Bool {
        if case .backend = self { true } else { false }
    }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
