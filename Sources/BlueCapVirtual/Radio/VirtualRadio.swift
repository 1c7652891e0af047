// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime

/// A Bluetooth LE radio inside the process: an ether with any number of adapters and peripherals, without hardware.
///
/// ```swift
/// try await VirtualRadio.run(seed: 1) { radio in
///     let level = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [100])
///     radio.add(VirtualPeripheral(name: "Strap", services: [VirtualService("180F", characteristics: [level])]))
///
///     let central = CentralManager(backend: radio.central())
///     try await central.whenPoweredOn()
///     let strap = try await central.firstDiscovery(for: ["180F"]).peripheral
///     try await strap.connect(timeout: .seconds(5))
///     print(strap.displayName, strap.isConnected)     // in simulated time: nothing is waited for
/// }
/// ```
///
/// All events follow from the seed, the clock and the calls to the world. On a `ManualClock` nothing happens until time
/// is moved: by ``run(limit:patience:_:)``, which moves it whenever there is nothing else to do, or by
/// ``advance(by:)``. On a real clock the radio runs by itself; on `BlueCapClock.continuous` advertisements are heard
/// in groups, up to 20 ms late.
public final class VirtualRadio: Sendable {
    /// The clock that all its time comes from. Give it to the managers on this radio too.
    public let clock: BlueCapClock
    /// The manual clock that the radio was made with; nil on a real clock.
    public let manualClock: ManualClock?
    /// The seed of all random numbers of the radio.
    public let seed: UInt64
    /// The store in which managers on this radio keep the state that they are to restore, if they have a
    /// `restoreIdentifier`: two of them one after the other are a program and the one that restores it.
    public let restorationStore = MemoryRestorationStore()
    let lifetime: RadioLifetime
    let participants = Locked(Participants())

    struct Participants {
        var adapters: [VirtualAdapter] = []
        /// Each adapter as the others' centrals see it, by its address.
        var localPeers: [String: Confined<LocalPeer>] = [:]
        var peripherals: [VirtualPeripheral] = []
        /// The peripherals by the addresses they were added with. A peripheral that changed its address no longer has
        /// the first.
        var owners: [PeerIdentifier: VirtualPeripheral] = [:]
        /// Whether a run or an advance is moving the clock.
        var isDriven = false
        var lastObserver: UInt64 = 0
    }

    /// Creates a radio on a clock of any kind. On the machine's continuous clock it runs by itself, for demonstrations.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random numbers.
    ///   - clock: The clock that all times come from.
    ///   - noise: The standard deviation of the noise on signal strengths, in dB.
    public convenience init(seed: UInt64 = 1, clock: BlueCapClock = .continuous, noise: Double = 2) {
        self.init(seed: seed, clock: clock, manualClock: nil, noise: noise)
    }

    /// Creates a radio on a manual clock.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random numbers.
    ///   - clock: The clock that all times come from.
    ///   - noise: The standard deviation of the noise on signal strengths, in dB.
    public convenience init(seed: UInt64 = 1, clock: ManualClock, noise: Double = 2) {
        self.init(seed: seed, clock: clock.clock, manualClock: clock, noise: noise)
    }

    private init(seed: UInt64, clock: BlueCapClock, manualClock: ManualClock?, noise: Double) {
        self.seed = seed
        self.clock = clock
        self.manualClock = manualClock
        lifetime = RadioLifetime(seed: seed, clock: clock, noise: noise)
    }

    /// The executor of the radio, its backends and its managers. Give it to `withTaskExecutorPreference` to run there
    /// too.
    public var executor: VirtualExecutor { lifetime.executor }

    var ether: Confined<Ether> { lifetime.ether }

    // MARK: Participants

    /// Returns the adapter with the given address, which the first call for it makes.
    ///
    /// - Parameters:
    ///   - address: The address of the adapter: six octets with colons between, as `"C0:DE:00:00:00:01"`. Another text
    ///     is a mistake that traps.
    ///   - configuration: The configuration of the adapter; without effect if the adapter exists.
    public func adapter(
        address: String = "00:00:5E:00:53:01", configuration: VirtualAdapter.Configuration = .init()
    ) -> VirtualAdapter {
        precondition(
            PeerIdentifier(address).isAddress,
            "\"\(address)\" is no address: six octets with colons, as in \"C0:DE:00:00:00:01\"")
        return participants.withLock { participants in
            let address = address.uppercased()
            if let adapter = participants.adapters.first(where: { $0.address == address }) { return adapter }
            let facts = Locked(AdapterFacts(configuration))
            let adapter = VirtualAdapter(
                address: address,
                node: Confined(on: executor) { [ether] in
                    AdapterNode(
                        ether: ether.with { $0 }, address: address, configuration: configuration, facts: facts)
                }, facts: facts)
            participants.adapters.append(adapter)
            return adapter
        }
    }

    /// Creates a central role on an adapter of this radio.
    public func central(on adapter: VirtualAdapter) -> VirtualCentralBackend {
        let node = adapter.node
        return VirtualCentralBackend(
            radio: self, adapter: adapter,
            role: Confined(on: executor) { CentralRole(adapter: node.with { $0 }) })
    }

    /// Creates a central role on the adapter with the given address, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - address: The address of the adapter, as for ``VirtualRadio/adapter(address:configuration:)``: a text that is
    ///     none is a mistake that traps.
    ///   - configuration: The configuration of the adapter; without effect if the adapter exists.
    public func central(
        address: String = "00:00:5E:00:53:01", configuration: VirtualAdapter.Configuration = .init()
    ) -> VirtualCentralBackend {
        central(on: adapter(address: address, configuration: configuration))
    }

    /// Puts a peripheral into the air. It belongs to this radio from now on; it can leave and come back.
    ///
    /// A peripheral without an address of its own gets another one if its own is taken. Two that are declared with the
    /// same address are a mistake that traps.
    public func add(_ peripheral: VirtualPeripheral) {
        participants.withLock { participants in
            if participants.peripherals.contains(where: { $0 === peripheral }) { return }
            peripheral.takeAddress { participants.owners[$0]?.identifier == $0 }
            participants.owners[peripheral.identifier] = peripheral
            participants.peripherals.append(peripheral)
        }
        peripheral.join(ether)
    }

    /// Removes a peripheral from the air, as if its battery died: links to it end by their supervision timeouts.
    public func remove(_ peripheral: VirtualPeripheral) {
        participants.withLock { participants in
            participants.peripherals.removeAll { $0 === peripheral }
            participants.owners = participants.owners.filter { $1 !== peripheral }
        }
        peripheral.leave()
    }

    /// The peripherals in the air, in the order in which they were added.
    public var peripherals: [VirtualPeripheral] { participants.withLock { $0.peripherals } }
}

/// Owns the executor and the ether, and ends both with the last that needs them.
final class RadioLifetime: Sendable {
    let executor = VirtualExecutor()
    let ether: Confined<Ether>

    init(seed: UInt64, clock: BlueCapClock, noise: Double) {
        let executor = executor
        ether = Confined(on: executor) {
            Ether(seed: seed, timeline: Timeline(clock: clock, executor: executor), noise: noise)
        }
        let ether = ether
        ether.perform {
            $0.timeline.start { [weak ether] in ether?.with { $0.timeline.fire() } }
        }
    }

    deinit {
        ether.perform { $0.clear() }
        executor.release()
    }
}

/// The journals of one backend, which its program's end takes away from the manager.
final class VirtualJournals: RestorationStore {
    private let store: MemoryRestorationStore
    private let journals = Locked<[any RestorationJournal]>([])

    init(store: MemoryRestorationStore) { self.store = store }

    func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal {
        let journal = try store.open(name)
        journals.withLock { $0.append(journal) }
        return journal
    }

    func close() {
        for journal in journals.withLock({ $0 }) { journal.close() }
    }
}

extension VirtualRadio {
    /// Calls `observer` on the radio's executor with all events from now on.
    ///
    /// - Returns: A number for ``stopObserving(_:)``.
    package func observe(_ observer: @escaping @Sendable (AirEvent) -> Void) -> UInt64 {
        let number = participants.withLock { participants in
            participants.lastObserver += 1
            return participants.lastObserver
        }
        ether.perform { $0.observers.append((number, observer)) }
        return number
    }

    package func stopObserving(_ number: UInt64) {
        ether.perform { $0.observers.removeAll { $0.number == number } }
    }
}

extension VirtualRadio {
    /// The numbers of the peripheral roles' objects on the radio, by kind: empty once everything was removed and every
    /// central has left.
    package func remains() async -> [String: Int] {
        let peers = participants.withLock { Array($0.localPeers.values) }
        return await withCheckedContinuation { continuation in
            ether.perform { _ in
                let all: [[String: Int]] = peers.map { $0.with { $0.remains } }
                let sums = all.reduce(into: [:]) { sums, each in sums.merge(each) { $0 + $1 } }
                continuation.resume(returning: sums.filter { $0.value > 0 })
            }
        }
    }
}

extension LocalPeer {
    fileprivate var remains: [String: Int] {
        roles.map(\.remains).reduce(["links": links.count]) { $0.merging($1) { $0 + $1 } }
    }
}

extension VirtualRadio {
    /// Puts a twin into the air as a virtual peripheral.
    ///
    /// ```swift
    /// let lamp = radio.add(twin: try Twin(json: json))
    /// ```
    ///
    /// It has the twin's address, advertises what the twin advertises, and has its database without Generic Access and
    /// Generic Attribute, each service at its handle where that is free. It keeps values written to it. Once a central
    /// subscribes, the characteristic's notifications are sent on the radio's clock, until the last subscription ends;
    /// its value follows them.
    ///
    /// It is heard as strongly as the twin was, but with -110 dBm or more, the least that virtual radios receive. An
    /// address that another peripheral of the radio has is replaced, and so is that of its usual adapter.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - replay: How the values that it notified are sent again.
    /// - Returns: The peripheral, in the air.
    @discardableResult
    public func add(twin: Twin, replay: TwinReplay = .once) -> VirtualPeripheral {
        let isTaken =
            twin.address?.text == VirtualAdapter.usualAddress || peripherals.contains { $0.identifier == twin.address }
        let peripheral = VirtualPeripheral(
            twin: isTaken ? twin.withoutAddress : twin, replay: replay)
        add(peripheral)
        return peripheral
    }
}

extension Twin {
    fileprivate var withoutAddress: Twin {
        var copy = self
        copy.address = nil
        return copy
    }
}
