// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// Outages of the real daemon and adapter, one after another, under traffic in both roles of one program.
enum EnduranceBehaviours {
    /// The longest time after the radio's return until values come, in either role.
    private static let bound = Duration.seconds(3)

    /// - Parameter rounds: How many outages of each kind there are.
    static func all(rounds: Int) -> [DaemonBehaviour] {
        Outage.allCases.map { outage in
            DaemonBehaviour("endurance: values flow in both roles within \(bound) after \(outage), each time") {
                world in
                let scene = try await EnduranceScene(world)
                // The first round opens the descriptors that stay open.
                var times = [try await scene.round(outage)]
                let before = Footprint()
                for _ in 1..<max(rounds, 2) { times.append(try await scene.round(outage)) }
                for _ in 0..<50 where Footprint().descriptors > before.descriptors {
                    try await world.elapse(.milliseconds(100))
                }
                let after = Footprint()
                tell(outage, times, memory: (before.kilobytes, after.kilobytes))
                let left = after.descriptors - before.descriptors
                guard left <= 0 else {
                    throw ConformanceFailure("\(left) descriptors were left behind")
                }
                let growth = after.kilobytes - before.kilobytes
                guard growth <= Footprint.noise else {
                    throw ConformanceFailure("the program's memory grew by \(growth) kB")
                }
                let late = times.count { max($0.served, $0.received) > bound }
                guard late == 0 else { throw ConformanceFailure("values came later than \(bound) \(late) times") }
            }
        }
    }

    private static func tell(_ outage: Outage, _ times: [EnduranceTimes], memory: (first: Int, last: Int)) {
        func summary(_ values: [Duration]) -> String {
            let sorted = values.sorted().map { String(format: "%.2f", $0 / .seconds(1)) }
            return "median \(sorted[sorted.count / 2]) s, longest \(sorted[sorted.count - 1]) s"
        }
        let lines = """
                   \(times.count) times; after the radio's return, values at the far central: \(summary(times.map(\.served)))
                   values of the far peripheral: \(summary(times.map(\.received)))
                   resident memory after the first round \(memory.first) kB, after the last \(memory.last) kB

            """
        FileHandle.standardOutput.write(Data(lines.utf8))
    }
}

/// The time from the radio's return until values came again.
struct EnduranceTimes: Sendable {
    /// At the far central, which heard the advertisement, connected and subscribed again.
    let served: Duration
    /// From the far peripheral, to which our central connected and subscribed by itself.
    let received: Duration
}

/// One program in both roles: a far central that is subscribed to it, and a far peripheral whose values it takes.
private struct EnduranceScene: Sendable {
    private static let name = "Ours"
    private static let attribute = PeerAttribute()
    /// The number of values that are under way at once in each direction when the outage begins.
    private static let burst = 200

    let world: BedWorld
    let manager: PeripheralManager
    let served: MutableCharacteristic
    let far: any FarCentral
    let central: CentralManager
    let peer: any ConformancePeer
    let values: Counter

    init(_ world: BedWorld) async throws {
        self.world = world
        manager = try await world.makePeripheralManager()
        try await manager.whenPoweredOn()
        served = MutableCharacteristic(uuid: "FFF1", properties: [.read, .notify], permissions: .readable, value: [1])
        served.updatePolicy = .none
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [served]
        try await manager.add(service)
        try await manager.startAdvertising(Self.name)
        far = try await world.farCentral(1)

        central = try await world.makeCentral()
        try await central.whenPoweredOn()
        peer = try await world.peer(0)
        let characteristic = TwinCharacteristic("2A19", properties: .notify, value: [1])
        let identifier = try await peer.configure(
            Twin(
                name: "Peer",
                services: [TwinService("B1EC0000-5EED-4000-B000-00805F9B34FB", characteristics: [characteristic])]))
        try await peer.advertise(true)
        let peripheral = try await central.firstDiscovery(
            options: ScanOptions(addressPrefix: identifier.text)
        ).peripheral
        peripheral.reconnectPolicy = ReconnectPolicy(
            maximumTimeouts: nil, maximumDisconnections: nil, backoff: .constant(.milliseconds(50)))
        try await peripheral.connect(timeout: .seconds(10))
        try await peripheral.discover()
        let notifications = try await peripheral.characteristic("2A19").notifications(onDisconnect: .resubscribe)
        values = Counter(notifications)
        try await subscribe()
    }

    /// The far central finds the advertisement and the service, and subscribes.
    private func subscribe() async throws {
        let found = try await far.connect(to: try await far.hear { $0.localName == Self.name })
        guard let remote = found.flatMap(\.characteristics).first(where: { $0.uuid == "FFF1" }) else {
            throw ConformanceFailure("the far central did not find the service")
        }
        try await far.subscribe(to: remote.id, indications: false)
        for count in 1... {
            try served.update([UInt8(truncatingIfNeeded: count)])
            if !served.subscribers.isEmpty { break }
            try await world.elapse(.milliseconds(10))
        }
        try served.update([0])
        _ = try await far.received(from: remote.id, count: 1)
    }

    /// The far peripheral sends until a value has come.
    private func receive() async throws {
        let before = values.count
        while values.count == before {
            try await peer.notify(Self.attribute, [[1]])
            try await world.elapse(.milliseconds(20))
        }
    }

    /// One outage under traffic.
    func round(_ outage: Outage) async throws -> EnduranceTimes {
        try await withEventRecorder(of: manager.states()) { states in
            async let traffic: Void = peer.notifyMany(Self.attribute, count: Self.burst, size: 20)
            for count in 0..<Self.burst { try served.update([UInt8(truncatingIfNeeded: count)]) }
            try await world.begin(outage)
            try await states.wait { $0.contains { $0 != .poweredOn } }
            // Its peripheral sends to a link that is gone.
            _ = try? await traffic
            try await world.end(outage)
            try await states.wait { $0.last == .poweredOn && $0.contains { $0 != .poweredOn } }
        }
        let start = world.clock.elapsed
        async let received = time(since: start) { try await receive() }
        let atFar = try await time(since: start) {
            // bluetoothd may have left the link standing when it was killed.
            try await far.disconnect()
            try await subscribe()
        }
        return EnduranceTimes(served: atFar, received: try await received)
    }

    private func time(since start: Duration, _ body: @Sendable () async throws -> Void) async throws -> Duration {
        try await body()
        return world.clock.elapsed - start
    }
}

/// Counts received values, in a task of its own, until the notifications end.
private final class Counter: Sendable {
    private let value: Locked<Int>
    private let task: Task<Void, Never>

    init(_ notifications: Notifications) {
        let value = Locked(0)
        self.value = value
        task = Task {
            do { for try await _ in notifications { value.withLock { $0 += 1 } } } catch {}
        }
    }

    deinit { task.cancel() }

    var count: Int { value.withLock { $0 } }
}
#endif
