// SPDX-License-Identifier: MIT

/// A named part of the conformance suite: the behaviours of one subject.
///
/// A backend that is not finished runs the parts that it offers, by name. The names stay, so a backend states its
/// conformance by listing them; behaviours are added to parts, and parts to the suite.
///
/// ```swift
/// @Test(arguments: Conformance.behaviours(of: .scanning, .connecting, .reading))
/// func `the backend shows`(_ behaviour: Behaviour) async throws {
///     try await Conformance.run(behaviour, in: MyWorld())
/// }
/// ```
///
/// Of a ``ConformanceWorld``, a part of the central role needs ``ConformanceWorld/makeCentral(restoring:)``,
/// ``ConformanceWorld/peer(_:)`` and ``ConformanceWorld/elapse(_:)``, and a part of the peripheral role needs
/// ``ConformanceWorld/makePeripheralManager(restoring:)`` and ``ConformanceWorld/farCentral(_:)`` in place of the first
/// two. The parts that need more say so.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum ConformancePart: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    // The central role.

    /// States, discoveries by name, address and service, timeouts of scans, and several scans at once.
    case scanning
    /// The contents of a sighting: each field of an advertisement, scan responses, signal strength, losses. Peers must
    /// repeat their packets by themselves.
    case sightings
    /// Passive scans: patterns, signal thresholds, several at once. Peers must repeat their packets by themselves.
    /// Needs ``ConformanceWorld/setPower(_:)``.
    case passiveScans
    /// Connecting, disconnecting, attempts that are cancelled, shared, refused or timed out, and the ATT_MTU.
    case connecting
    /// Links that end from either side, and the effect on operations under way.
    case losing
    /// Peripherals that are away, for which one attempt waits.
    case waiting
    /// Journals from which a central's connections are restored.
    case restoring
    /// The adapter is switched off and on. Needs ``ConformanceWorld/setPower(_:)``.
    case power
    /// Values that are read, long ones too, in order, and the state after a read's timeout or cancellation.
    case reading
    /// Values that are written with and without a response, in order.
    case writing
    /// ATT errors of reads, writes and subscriptions, each of which the backend reports unchanged.
    case attErrors
    /// Notifications and indications, and the number of subscribers.
    case notifying
    /// Thousands of notifications in a row.
    case notifyingAtScale
    /// Descriptors of each kind, read and written.
    case descriptors
    /// The database as a whole: order, equal UUIDs, included services, changes while connected.
    case database
    /// Pairing and bonds. Needs peers that pair.
    case pairing
    /// Connection-oriented channels: units, refusals, credits, ends. Needs peers that take channels.
    case channels
    /// Two central managers side by side.
    case sharingOfCentral

    // The peripheral role.

    /// Advertisements that start, change and stop.
    case advertising
    /// Each option of an advertisement, and those that are refused.
    case advertisingOptions
    /// Reads and writes of a central.
    case serving
    /// Accesses that are refused.
    case refusing
    /// Notifications and indications to a central.
    case updating
    /// Services that come and go.
    case registering
    /// Journals from which a peripheral's services are restored.
    case restoringServices
    /// Outages of the platform, after which everything is there again. Needs ``ConformanceWorld/begin(_:)`` and
    /// ``ConformanceWorld/end(_:)``.
    case recovering
    /// Pairing that a central begins.
    case pairingWithCentrals
    /// Centrals that connect, leave and are refused, with their links. Needs ``ConformanceWorld/setPower(_:)``.
    case linksOfCentrals
    /// Two peripheral managers side by side.
    case sharingOfPeripheral

    /// The parts of the central role.
    public static let central: [Self] = [
        .scanning, .sightings, .passiveScans, .connecting, .losing, .waiting, .restoring, .power, .reading, .writing,
        .attErrors, .notifying, .notifyingAtScale, .descriptors, .database, .pairing, .channels,
        .sharingOfCentral,
    ]

    /// The parts of the peripheral role.
    public static let peripheral: [Self] = [
        .advertising, .advertisingOptions, .serving, .refusing, .updating, .registering, .restoringServices,
        .recovering, .pairingWithCentrals, .linksOfCentrals, .sharingOfPeripheral,
    ]

    /// The behaviours of the part.
    public var behaviours: [Behaviour] {
        switch self {
        case .scanning: Conformance.scanning
        case .sightings: Conformance.sightings
        case .passiveScans: Conformance.passiveScans
        case .connecting: Conformance.connecting
        case .losing: Conformance.losing
        case .waiting: Conformance.waiting
        case .restoring: Conformance.restoring
        case .power: Conformance.power
        case .reading: Conformance.reading
        case .writing: Conformance.writing
        case .attErrors: Conformance.attErrors
        case .notifying: Conformance.notifying
        case .notifyingAtScale: Conformance.notifyingAtScale
        case .descriptors: Conformance.descriptors
        case .database: Conformance.database
        case .pairing: Conformance.pairing
        case .channels: Conformance.channels
        case .sharingOfCentral: Conformance.sharingOfCentral
        case .advertising: Conformance.advertising
        case .advertisingOptions: Conformance.advertisingOptions + Conformance.secondaryPHYs
        case .serving: Conformance.serving
        case .refusing: Conformance.refusing
        case .updating: Conformance.updating
        case .registering: Conformance.registering
        case .restoringServices: Conformance.restoringServices
        case .recovering: Outage.allCases.flatMap { Conformance.recovering(from: $0) }
        case .pairingWithCentrals: Conformance.pairingWithCentrals
        case .linksOfCentrals: Conformance.linksOfCentrals
        case .sharingOfPeripheral: Conformance.sharingOfPeripheral
        }
    }

    /// The name, as in code.
    public var description: String { rawValue }
}

/// One thing that every backend must show, as a small program over a ``ConformanceWorld``.
public struct Behaviour: Sendable, Hashable, CustomStringConvertible {
    /// The sentence that the behaviour shows to be true; no two behaviours have the same.
    public let name: String
    /// The program, which throws if the backend does not show the behaviour.
    public let run: @Sendable (any ConformanceWorld) async throws -> Void

    /// Creates a behaviour.
    ///
    /// - Parameters:
    ///   - name: The sentence that the behaviour shows to be true; no two behaviours have the same.
    ///   - run: The program, which throws if the backend does not show the behaviour.
    public init(_ name: String, run: @escaping @Sendable (any ConformanceWorld) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The name of the behaviour.
    public var description: String { name }

    /// Returns whether two behaviours have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
