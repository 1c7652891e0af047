// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A place where the conformance suite runs: a backend under test, far devices that are told what to do, and time.
///
/// Make a new world for each behaviour, or at least one whose peers and centrals are new. A world in which only some
/// parts of the suite run (see ``ConformancePart``) leaves out what those do not need: what is left out throws a
/// ``ConformanceFailure``.
public protocol ConformanceWorld: Sendable {
    /// What the world is called in reports.
    var name: String { get }
    /// What drives the world's chance; a run is repeated by giving it again.
    var seed: UInt64 { get }
    /// What this world's platform makes impossible, and what is expected there instead.
    var limits: [WorldLimit] { get }
    /// The clock that ``elapse(_:)`` moves and that the centrals use.
    var clock: BlueCapClock { get }
    /// The clock by which a behaviour is given up: one that moves although the behaviour hangs.
    var deadlineClock: BlueCapClock { get }

    /// A new central manager on this world's backend and clock. Several may live side by side.
    ///
    /// - Parameter store: Where it keeps its journal, and finds that of the manager before it; nil for none.
    func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager

    /// A far device by its index. The same index gives the same device.
    func peer(_ index: Int) async throws -> any ConformancePeer

    /// A new peripheral manager on this world's backend and clock.
    ///
    /// - Parameter store: Where it keeps its journal, and finds that of the manager before it; nil for none.
    func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager

    /// A far device in the central role, by its index. The same index gives the same device.
    func farCentral(_ index: Int) async throws -> any FarCentral

    /// Takes the platform's Bluetooth away, and returns when it is gone.
    func begin(_ outage: Outage) async throws

    /// Brings back what ``begin(_:)`` took away, and returns when the adapter is on. The platform knows nothing of us
    /// then.
    func end(_ outage: Outage) async throws

    /// Switches the adapter of the managers on or off, as a user does in the system's settings.
    func setPower(_ isOn: Bool) async throws

    /// Lets time pass on ``clock``.
    ///
    /// A manual clock first waits until something is due within the duration, then advances by it; a virtual run sleeps
    /// on its own clock; a real clock sleeps.
    func elapse(_ duration: Duration) async throws

    /// How long a peer is away that is away for long: longer than the platform remembers or looks for it.
    var longAbsence: Duration { get }

    /// Ends the world: its managers are invalidated and its peers silent. Called once, also after a failure.
    func close() async
}

extension ConformanceWorld {
    /// A new central manager without a journal.
    public func makeCentral() async throws -> CentralManager { try await makeCentral(restoring: nil) }

    /// A new peripheral manager without a journal.
    public func makePeripheralManager() async throws -> PeripheralManager {
        try await makePeripheralManager(restoring: nil)
    }

    /// Zero, where nothing is left to chance.
    public var seed: UInt64 { 0 }

    /// Nothing is impossible.
    public var limits: [WorldLimit] { [] }

    /// The clock of the machine.
    public var deadlineClock: BlueCapClock { .continuous }

    /// Throws a ``ConformanceFailure``: the world is for parts of the peripheral role.
    public func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        throw ConformanceFailure("the world \(name) has no central manager")
    }

    /// Throws a ``ConformanceFailure``: the world is for parts of the peripheral role.
    public func peer(_ index: Int) async throws -> any ConformancePeer {
        throw ConformanceFailure("the world \(name) has no far peripherals")
    }

    /// Throws a ``ConformanceFailure``: the world is for parts of the central role.
    public func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        throw ConformanceFailure("the world \(name) has no peripheral manager")
    }

    /// Throws a ``ConformanceFailure``: the world is for parts of the central role.
    public func farCentral(_ index: Int) async throws -> any FarCentral {
        throw ConformanceFailure("the world \(name) has no far centrals")
    }

    /// Throws a ``ConformanceFailure``: nothing takes this platform's Bluetooth away.
    public func begin(_ outage: Outage) async throws {
        throw ConformanceFailure("the world \(name) knows no outage")
    }

    /// Throws a ``ConformanceFailure``: nothing takes this platform's Bluetooth away.
    public func end(_ outage: Outage) async throws {
        throw ConformanceFailure("the world \(name) knows no outage")
    }

    /// Throws a ``ConformanceFailure``: the adapter cannot be switched from here.
    public func setPower(_ isOn: Bool) async throws {
        throw ConformanceFailure("the world \(name) cannot switch its adapter")
    }

    /// Ten minutes, which simulated time passes at once.
    public var longAbsence: Duration { .seconds(600) }

    /// The limit of this world that concerns a subject, if there is one.
    public func limit(_ subject: WorldLimit.Subject) -> WorldLimit? {
        limits.first { $0.subject == subject }
    }
}
