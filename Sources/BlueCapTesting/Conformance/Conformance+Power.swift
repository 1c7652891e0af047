// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// The adapter goes off and comes back.
    static let power: [Behaviour] = [
        Behaviour("switching the adapter off and on is told as states") { world in
            let central = try await world.makePoweredCentral()
            try await withEventRecorder(of: central.states()) { states in
                try await world.setPower(false)
                try await states.wait(for: .poweredOff)
                try await world.setPower(true)
                try await states.wait { $0.last == .poweredOn && $0.contains(.poweredOff) }
                try expectEqual(states.all.first, .poweredOn, "the first state")
            }
            try expectEqual(central.state, .poweredOn, "the last state")
        },
        Behaviour("switching the adapter off ends a scan with its error") { world in
            let central = try await world.makePoweredCentral()
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer"))
            try await withEventRecorder(of: central.scan()) { sightings in
                try await sightings.first { $0.peripheral.identifier == identifier }
                try await world.setPower(false)
                let ended = await outcome { try await sightings.end() }
                try expectFailure(ended, CentralManagerError.poweredOff, "a scan when the adapter goes off")
            }
            try expect(!central.isScanning, "the manager still scans")
        },
        Behaviour("switching the adapter off ends connections, reads and subscriptions with their errors") { world in
            let scene = try await Scene.discovered(
                TwinCharacteristic(0, .read),
                TwinCharacteristic(1, .notify),
                in: world)
            let (read, notified) = (try scene.characteristic(0), try scene.characteristic(1))
            let held = PeerAttribute(characteristic: 0)
            let notifications = try await notified.notifications()
            try await scene.peer.hold(held, on: .read)
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                try await withEventRecorder(of: notifications) { values in
                    async let pending = outcome { () throws(CharacteristicError) in try await read.read() }
                    try await scene.peer.wait(until: .held(held, .read))
                    try await world.setPower(false)
                    try expectEqual(await pending.failure, .poweredOff, "the error of a pending read")
                    let ended = await outcome { try await values.end() }
                    try expectFailure(ended, CharacteristicError.poweredOff, "notifications when the adapter goes off")
                    try await events.wait(for: .disconnected(.poweredOff))
                    try expectEqual(events.count, 1, "how many connection events came")
                }
            }
            try expectEqual(scene.peripheral.state, .disconnected, "the state")
        },
        Behaviour("a pending connect ends when the adapter goes off") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try await scene.peer.vanish()
            async let connecting = outcome { () throws(PeripheralError) in try await scene.peripheral.connect() }
            try await settle("it is connecting") { scene.peripheral.state == .connecting }
            try await world.setPower(false)
            try expectEqual(await connecting.failure, .poweredOff, "the error of a pending connect")
        },
        Behaviour("nothing works while the adapter is off, and all of it when it is on again") { world in
            let scene = try await Scene.discovered(.read, value: [7], in: world)
            try await withEventRecorder(of: scene.central.states()) { states in
                try await world.setPower(false)
                try await states.wait(for: .poweredOff)
            }
            try await expectThrows(PeripheralError.poweredOff, "connecting") { try await scene.peripheral.connect() }
            try await expectThrows(CentralManagerError.poweredOff, "scanning") {
                try await scene.central.firstDiscovery()
            }
            try await expectThrows(for: [.poweredOff, .disconnected], "reading") {
                try await scene.characteristic(0).read()
            }
            try await world.setPower(true)
            try await scene.central.whenPoweredOn()
            try await scene.peer.wait(until: .disconnected)
            try await scene.reconnect()
            try await scene.peripheral.discover()
            try expectEqual(try await scene.characteristic(0).read(), [7], "the value after power came back")
        },
    ]
}
