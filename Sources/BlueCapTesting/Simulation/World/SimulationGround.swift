// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A world in which a ``Simulation`` plays its random program over any backend: a conformance world whose backend can
/// be looked at and whose platform can be made to misbehave.
///
/// Its clock has to move by itself, and only when nothing else happens.
public protocol SimulationGround: ConformanceWorld {
    /// The longest time that a call may return later than due; zero where time waits for all pending work.
    var tolerance: Duration { get }

    /// The abilities that the world's platform does not have, so that they are not checked at the end of a run; none by
    /// default.
    var missingAbilities: Set<SimulationAbility> { get }

    /// Creates a central manager over a layer around the world's backend.
    ///
    /// - Parameter layer: Returns the manager's backend for the world's own.
    /// - Throws: An error of the world if it cannot make one.
    func makeCentral(
        through layer: @escaping @Sendable (any CentralBackend) -> any CentralBackend
    ) async throws -> CentralManager

    /// Creates a peripheral manager over a layer around the world's backend.
    ///
    /// - Parameter layer: Returns the manager's backend for the world's own.
    /// - Throws: An error of the world if it cannot make one.
    func makePeripheralManager(
        through layer: @escaping @Sendable (any PeripheralBackend) -> any PeripheralBackend
    ) async throws -> PeripheralManager

    /// Starts a misbehaviour of the platform's service, which lasts until ``end(_:)``; does nothing where the world
    /// cannot do so.
    ///
    /// - Throws: An error of the world if it cannot reach the service.
    func begin(_ fault: ServiceFault) async throws

    /// Ends a misbehaviour of the service, which now carries out the calls that it held back.
    ///
    /// - Throws: An error of the world if it cannot reach the service.
    func end(_ fault: ServiceFault) async throws

    /// Returns the number of objects of each kind that the platform still holds for the managers. Kinds without objects
    /// are left out.
    ///
    /// - Throws: An error of the world if it cannot inspect the platform.
    func remains() async throws -> [String: Int]
}

extension SimulationGround {
    /// No abilities: the platform has all that the random program uses.
    public var missingAbilities: Set<SimulationAbility> { [] }
}

/// An ability that the random program of a ``Simulation`` uses, and some platforms do not have.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum SimulationAbility: String, Sendable, Hashable, CaseIterable {
    /// Pairing, of the program with a device and of a far central with the program.
    case pairing
    /// User descriptions of any bytes, which are written and read as they are.
    case descriptors
}
