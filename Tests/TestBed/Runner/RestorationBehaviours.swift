// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// Programs that are killed under bluetoothd, which keeps their links, and restored.
enum RestorationBehaviours {
    /// The longest time after the start of a program until values come.
    private static let bound = Duration.seconds(3)

    /// - Parameter rounds: How often the program is killed.
    static func all(rounds: Int) -> [DaemonBehaviour] {
        [
            DaemonBehaviour(
                "endurance: a program that is killed is restored in both roles within \(bound), each time"
            ) { world in
                let scene = try await RestorationScene(world)
                defer { scene.removeJournals() }
                _ = try await scene.round(0)
                var outcomes: [RestorationScene.Outcome] = []
                for number in 1...rounds { outcomes.append(try await scene.round(number)) }
                tell(outcomes)
                guard Set(outcomes.map(\.places)).count == 1 else {
                    throw ConformanceFailure("the service stood at \(outcomes.map(\.places))")
                }
                let late = outcomes.count { max($0.received, $0.served) > bound }
                guard late == 0 else { throw ConformanceFailure("values came later than \(bound) \(late) times") }
                guard let first = outcomes.first, let last = outcomes.last else { return }
                for (name, before, after) in [
                    ("the program", first.program, last.program), ("bluetoothd", first.daemon, last.daemon),
                ] {
                    // A few descriptors belong to operations under way; a leak adds some in each round.
                    guard after.descriptors - before.descriptors <= max(rounds / 2, 4) else {
                        throw ConformanceFailure(
                            "\(name) has \(after.descriptors) descriptors after \(before.descriptors)")
                    }
                    guard after.kilobytes - before.kilobytes <= Footprint.noise else {
                        throw ConformanceFailure(
                            "\(name) has \(after.kilobytes) kB of memory after \(before.kilobytes)")
                    }
                }
            }
        ]
    }

    private static func tell(_ outcomes: [RestorationScene.Outcome]) {
        func summary(_ values: [Duration]) -> String {
            let sorted = values.sorted().map { String(format: "%.2f", $0 / .seconds(1)) }
            return "median \(sorted[sorted.count / 2]) s, longest \(sorted[sorted.count - 1]) s"
        }
        func change(_ footprint: (RestorationScene.Outcome) -> Footprint) -> String {
            let all = outcomes.map(footprint)
            return "\(all[0].kilobytes) kB, in the last \(all[all.count - 1].kilobytes) kB; "
                + "descriptors \(all[0].descriptors), \(all[all.count - 1].descriptors)"
        }
        let lines = """
                   \(outcomes.count) times; after the program's start, values of the far peripheral: \(summary(outcomes.map(\.received)))
                   values at the far central: \(summary(outcomes.map(\.served)))
                   the program's resident memory in the first round \(change(\.program))
                   bluetoothd's \(change(\.daemon))

            """
        FileHandle.standardOutput.write(Data(lines.utf8))
    }
}

/// A program in both roles that passes on the notifications of a far peripheral, and a far central that receives them.
private struct RestorationScene: Sendable {
    struct Outcome {
        /// The time from the program's start until a value of the far peripheral had come.
        let received: Duration
        /// The same for a value at the far central, which has heard the advertisement and connected.
        let served: Duration
        /// The handles of the characteristics.
        let places: [AttributeID]
        let program: Footprint
        let daemon: Footprint
    }

    let world: BedWorld
    let peer: any ConformancePeer
    let address: PeerIdentifier
    let far: any FarCentral
    let folder = NSTemporaryDirectory() + "bluecap-restoration"

    init(_ world: BedWorld) async throws {
        self.world = world
        peer = try await world.peer(0)
        let measured = TwinCharacteristic(RestoredProgram.measured, properties: [.read, .notify])
        address = try await peer.configure(
            Twin(
                name: "Peer", services: [TwinService(RestoredProgram.sensor, characteristics: [measured])]))
        try await peer.advertise(true)
        far = try await world.farCentral(1)
        removeJournals()
    }

    func removeJournals() { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts the program, which restores its state in every round but the first, and kills it once values flow.
    func round(_ number: Int) async throws -> Outcome {
        let start = world.clock.elapsed
        let program = try ChildProgram(["--program", folder, address.text])
        defer { program.kill() }
        try await program.expect(number == 0 ? "new" : "restored")
        try await program.expect("listening")
        let value = UInt8(truncatingIfNeeded: number)
        try await peer.notify(PeerAttribute(), [[value]])
        try await program.expect("value \(value)")
        let received = world.clock.elapsed - start
        let found = try await far.connect(to: try await far.hear { $0.localName == RestoredProgram.name })
        let characteristics = found.flatMap(\.characteristics)
        guard let fixed = characteristics.first(where: { $0.uuid == RestoredProgram.fixed }),
            let relayed = characteristics.first(where: { $0.uuid == RestoredProgram.relayed })
        else { throw BedError(description: "round \(number): the service is not there") }
        guard case .success([7]) = try await far.read(fixed.id) else {
            throw BedError(description: "round \(number): the value is not there")
        }
        try await far.subscribe(to: relayed.id, indications: false)
        try await program.expect("subscribed")
        try await peer.notify(PeerAttribute(), [[value, value]])
        guard try await far.received(from: relayed.id, count: 1) == [[value, value]] else {
            throw BedError(description: "round \(number): another value was notified")
        }
        let served = world.clock.elapsed - start
        try await far.disconnect()
        guard let daemon = Footprint(program: "bluetoothd") else {
            throw BedError(description: "bluetoothd does not run")
        }
        return Outcome(
            received: received, served: served, places: [fixed.id, relayed.id], program: program.footprint,
            daemon: daemon)
    }
}
#endif
