// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A place where the conformance suite runs: a backend under test, far devices that the suite controls, and time.
///
/// Make a new world for each behaviour, or at least one whose peers and centrals are new. A world in which only some
/// parts of the suite run (see ``ConformancePart``) implements only the methods that those parts need: the others throw
/// a ``ConformanceFailure``.
public protocol ConformanceWorld: Sendable {
    /// The name of the world in reports.
    var name: String { get }
    /// The seed of the world's random numbers. Giving it again repeats a run.
    var seed: UInt64 { get }
    /// The features that this world's platform makes impossible, each with the result that is expected instead.
    var limits: [WorldLimit] { get }
    /// The clock that ``elapse(_:)`` moves and that the centrals use.
    var clock: BlueCapClock { get }
    /// The clock of a behaviour's time limit: one that moves although the behaviour hangs.
    var deadlineClock: BlueCapClock { get }

    /// Creates a central manager on this world's backend and clock. Several may live side by side.
    ///
    /// - Parameter store: The store of its journal, in which it finds the journal of the manager before it; nil for
    ///   none.
    /// - Throws: A ``ConformanceFailure`` if the world has no central role; an error of the world if it cannot make
    ///   one.
    func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager

    /// Returns the far device with an index. The same index gives the same device.
    ///
    /// - Throws: A ``ConformanceFailure`` if the world has no far peripherals; an error of the world if it cannot make
    ///   one.
    func peer(_ index: Int) async throws -> any ConformancePeer

    /// Creates a peripheral manager on this world's backend and clock.
    ///
    /// - Parameter store: The store of its journal, in which it finds the journal of the manager before it; nil for
    ///   none.
    /// - Throws: A ``ConformanceFailure`` if the world has no peripheral role; an error of the world if it cannot make
    ///   one.
    func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager

    /// Returns the far device in the central role with an index. The same index gives the same device.
    ///
    /// - Throws: A ``ConformanceFailure`` if the world has no far centrals; an error of the world if it cannot make
    ///   one.
    func farCentral(_ index: Int) async throws -> any FarCentral

    /// Takes the platform's Bluetooth away, and returns when it is gone.
    ///
    /// - Throws: A ``ConformanceFailure`` if the world cannot do so; an error of the world if it fails.
    func begin(_ outage: Outage) async throws

    /// Restores the service, the radio or the adapter after ``begin(_:)``, and returns when the adapter is on. The
    /// platform has no registration of this program then.
    ///
    /// - Throws: A ``ConformanceFailure`` if the world cannot do so; an error of the world if it fails.
    func end(_ outage: Outage) async throws

    /// Switches the adapter of the managers on or off, as a user does in the system's settings.
    ///
    /// - Throws: A ``ConformanceFailure`` if the world cannot do so; an error of the world if it fails.
    func setPower(_ isOn: Bool) async throws

    /// Lets time pass on ``clock``.
    ///
    /// A manual clock first waits until a timer is due within the duration, then advances by it; a virtual run sleeps
    /// on its own clock; a real clock sleeps.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; an error of the world if its clock cannot advance.
    func elapse(_ duration: Duration) async throws

    /// The time of a long absence of a peer, which is longer than the platform remembers or looks for it.
    var longAbsence: Duration { get }

    /// The time from one connection event of a link to a peer to the next.
    var linkInterval: Duration { get }

    /// Ends the world: its managers are invalidated and its peers silent. Called once, also after a failure.
    func close() async
}

extension ConformanceWorld {
    /// Creates a central manager without a journal.
    ///
    /// - Throws: As ``makeCentral(restoring:)``.
    public func makeCentral() async throws -> CentralManager { try await makeCentral(restoring: nil) }

    /// Creates a peripheral manager without a journal.
    ///
    /// - Throws: As ``makePeripheralManager(restoring:)``.
    public func makePeripheralManager() async throws -> PeripheralManager {
        try await makePeripheralManager(restoring: nil)
    }

    /// Zero, where nothing is left to chance.
    public var seed: UInt64 { 0 }

    /// Nothing is impossible.
    public var limits: [WorldLimit] { [] }

    /// The clock of the machine.
    public var deadlineClock: BlueCapClock { .continuous }

    /// Throws in every case: the world is for parts of the peripheral role.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        throw ConformanceFailure("the world \(name) has no central manager")
    }

    /// Throws in every case: the world is for parts of the peripheral role.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func peer(_ index: Int) async throws -> any ConformancePeer {
        throw ConformanceFailure("the world \(name) has no far peripherals")
    }

    /// Throws in every case: the world is for parts of the central role.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        throw ConformanceFailure("the world \(name) has no peripheral manager")
    }

    /// Throws in every case: the world is for parts of the central role.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func farCentral(_ index: Int) async throws -> any FarCentral {
        throw ConformanceFailure("the world \(name) has no far centrals")
    }

    /// Throws in every case: the world cannot take the platform's Bluetooth away.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func begin(_ outage: Outage) async throws {
        throw ConformanceFailure("the world \(name) knows no outage")
    }

    /// Throws in every case: the world cannot take the platform's Bluetooth away.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func end(_ outage: Outage) async throws {
        throw ConformanceFailure("the world \(name) knows no outage")
    }

    /// Throws in every case: the world cannot switch the adapter.
    ///
    /// - Throws: A ``ConformanceFailure``.
    public func setPower(_ isOn: Bool) async throws {
        throw ConformanceFailure("the world \(name) cannot switch its adapter")
    }

    /// Ten minutes, which simulated time passes at once.
    public var longAbsence: Duration { .seconds(600) }

    /// A tenth of a second.
    public var linkInterval: Duration { .milliseconds(100) }

    /// Returns the limit of this world that concerns a subject, or nil if there is none.
    public func limit(_ subject: WorldLimit.Subject) -> WorldLimit? {
        limits.first { $0.subject == subject }
    }
}

/// An event that takes a platform's Bluetooth away from a running program for a while.
public enum Outage: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The platform's Bluetooth service ends in order, as an upgrade ends it, removes everything, and starts again.
    case restart
    /// The platform's Bluetooth service ends abruptly, as in a crash, and starts again.
    case crash
    /// The adapter is unplugged and plugged in again.
    case unplugging

    /// The event, as the subject of a sentence.
    public var description: String {
        switch self {
        case .restart: "a restart of the platform's service"
        case .crash: "a crash of the platform's service"
        case .unplugging: "an unplugging of the adapter"
        }
    }
}
