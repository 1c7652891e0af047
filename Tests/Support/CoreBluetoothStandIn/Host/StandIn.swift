// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapVirtual
public import Dispatch
public import Foundation

/// One device with CoreBluetooth: an adapter of a virtual radio, and the memory of its system.
///
/// A manager belongs to the device that its delegate queue was attached to by ``attach(to:)``, or else to ``shared``.
/// Several devices on one radio hear each other. The objects of CoreBluetooth are not `Sendable`: create and use those
/// of a manager on its queue.
public final class StandIn: Sendable {
    /// The device of queues that were attached to none, with a radio on the machine's clock.
    public static let shared = StandIn(radio: VirtualRadio())

    /// The radio, which runs on a thread of its own.
    public let radio: VirtualRadio
    /// The device's adapter: its state is that of the managers.
    public let adapter: VirtualAdapter
    let counts = ObjectCount.Counts([:])
    private let adjustable: Locked<StandInSettings>
    private let memory = Locked(Memory())

    private struct Memory {
        var names: [PeerIdentifier: String] = [:]
        var peers: [UUID: PeerIdentifier] = [:]
        var misuses: [String] = []
        var queues: [DispatchQueue] = []
        var ports: [QueuePort] = []
        var parked: [String: ParkedSession] = [:]
        var activity: UInt64 = 0
    }

    /// Creates a device. The configuration counts if the radio has no adapter with that address yet.
    public init(
        radio: VirtualRadio, address: String = "00:00:5E:00:53:01", settings: StandInSettings = .init(),
        configuration: VirtualAdapter.Configuration = .init()
    ) {
        self.radio = radio
        adapter = radio.adapter(address: address, configuration: configuration)
        adjustable = Locked(settings)
    }

    // MARK: Which device

    private static let key = DispatchSpecificKey<StandIn>()

    /// Gives a queue to this device, before the first manager with that queue is created.
    public func attach(to queue: DispatchQueue) {
        queue.setSpecific(key: Self.key, value: self)
        memory.withLock { $0.queues.append(queue) }
    }

    /// The device of the current queue.
    static var current: StandIn { DispatchQueue.getSpecific(key: key) ?? shared }

    static func of(_ queue: DispatchQueue) -> StandIn { queue.getSpecific(key: key) ?? current }

    // MARK: For tests

    /// The misbehaviours that are switched on.
    public var faults: Set<StandInFault> {
        get { adjustable.withLock { $0.faults } }
        set { adjustable.withLock { $0.faults = newValue } }
    }

    /// Rooms, permissions and the like.
    public var settings: StandInSettings {
        get { adjustable.withLock { $0 } }
        set { adjustable.withLock { $0 = newValue } }
    }

    func has(_ fault: StandInFault) -> Bool { adjustable.withLock { $0.faults.contains(fault) } }

    /// The calls that CoreBluetooth logs as API MISUSE and ignores (M1, C6), oldest first.
    public var misuses: [String] { memory.withLock { $0.misuses } }

    func misuse(_ text: String) { memory.withLock { $0.misuses.append(text) } }

    /// The number of objects of a kind that are alive.
    public func liveCount(_ kind: StandInObject) -> Int { counts.withLock { $0[kind] ?? 0 } }

    // MARK: The system's memory

    /// The identifier of another device on this one (B10): another on each host, the same in each run.
    public func identifier(of peer: PeerIdentifier) -> UUID {
        func hash(_ text: String) -> UInt64 {
            text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        }
        let (high, low) = (hash(adapter.address + ">" + peer.text), hash(peer.text + "<" + adapter.address))
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> (8 * UInt64($0 % 8))) }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let text = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
        return UUID(uuidString: text) ?? UUID()
    }

    /// The device that the system knows under an identifier, because it was sighted or connected (D9).
    func peer(of identifier: UUID) -> PeerIdentifier? { memory.withLock { $0.peers[identifier] } }

    func remember(_ peer: PeerIdentifier) {
        let identifier = identifier(of: peer)
        memory.withLock { $0.peers[identifier] = peer }
    }

    /// The name that the system knows: GAP Device Name, never the advertised one (B6).
    func name(of peer: PeerIdentifier) -> String? { memory.withLock { $0.names[peer] } }

    func learn(_ name: String, of peer: PeerIdentifier) { memory.withLock { $0.names[peer] = name } }

    // MARK: Programs that end and begin again

    /// Ends the app as iOS does to gain memory: its managers call nothing any more. The system goes on for those with a
    /// restore identifier, until a manager with the same one is created (R1 to R4).
    public func terminateApp() async {
        let ports = memory.withLock { memory in
            defer { memory.ports = [] }
            return memory.ports
        }
        await visit(ports) { $0.park() }
    }

    /// Calls `body` with each manager, on its queue.
    package func withManagers(_ body: @escaping @Sendable (CBManager) -> Void) async {
        await visit(memory.withLock { $0.ports }, body)
    }

    private func visit(_ ports: [QueuePort], _ body: @escaping @Sendable (CBManager) -> Void) async {
        for port in ports {
            await withCheckedContinuation { continuation in
                port.post(body, finally: { continuation.resume() })
            }
        }
    }

    func register(_ port: QueuePort) {
        memory.withLock { memory in
            memory.ports.removeAll { $0.isEmpty }
            memory.ports.append(port)
        }
    }

    func park(_ session: ParkedSession, as identifier: String) {
        memory.withLock { $0.parked[identifier] = session }
    }

    func takeParked(_ identifier: String) -> ParkedSession? {
        memory.withLock { $0.parked.removeValue(forKey: identifier) }
    }

    // MARK: Time

    /// Called for each step between the radio's thread and a queue.
    func noteActivity() { memory.withLock { $0.activity += 1 } }

    /// Waits until neither the radio nor a delegate queue of these devices, which share a radio, has anything to do at
    /// this time, and no task on the radio's executor waits for a queue.
    ///
    /// - Returns: How much work the radio has taken from other threads so far.
    @discardableResult
    public static func settle(_ hosts: [StandIn]) async throws -> UInt64 {
        guard let radio = hosts.first?.radio else { return 0 }
        func activity() -> [UInt64] {
            [radio.executor.foreignCount] + hosts.map { $0.memory.withLock { $0.activity } }
        }
        var (before, quietRounds) = (activity(), 0)
        // Work that a queue gives itself is not counted: a few rounds let some of it follow each other.
        while quietRounds < 4 {
            try await radio.settle()
            for queue in hosts.flatMap({ $0.memory.withLock { $0.queues } }) {
                await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            }
            try await radio.settle()
            quietRounds = activity() == before ? quietRounds + 1 : 0
            before = activity()
        }
        return before[0]
    }

    /// Moves the manual clock from one event to the next, with the delegates' calls between them, until `isMet` holds
    /// or `limit` has passed.
    ///
    /// - Returns: Whether it holds.
    public static func advance(
        _ hosts: [StandIn], limit: Duration = .seconds(60), until isMet: () -> Bool
    ) async throws -> Bool {
        guard let radio = hosts.first?.radio, let clock = radio.manualClock else { return isMet() }
        let end = clock.now.elapsed + limit
        while true {
            try await settle(hosts)
            if isMet() { return true }
            let now = clock.now.elapsed
            guard now < end else { return false }
            try await radio.advance(
                by: min(max(.milliseconds(1), clock.nextDeadline.map { $0 - now } ?? limit), end - now))
        }
    }
}
