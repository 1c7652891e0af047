// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A world in which a ``Simulation`` plays its random program over any backend: a conformance world whose backend can
/// be looked at and whose platform can be made to misbehave.
///
/// Its clock has to move by itself, and only when nothing else happens.
public protocol SimulationGround: ConformanceWorld {
    /// How much later than due a call may return: nothing where time waits for all that was begun.
    var tolerance: Duration { get }

    /// A central manager whose backend is what `layer` makes of the world's own.
    func makeCentral(
        through layer: @escaping @Sendable (any CentralBackend) -> any CentralBackend
    ) async throws -> CentralManager

    /// A peripheral manager whose backend is what `layer` makes of the world's own.
    func makePeripheralManager(
        through layer: @escaping @Sendable (any PeripheralBackend) -> any PeripheralBackend
    ) async throws -> PeripheralManager

    /// Has the platform's service misbehave until ``end(_:)``; does nothing where it cannot.
    func begin(_ fault: ServiceFault) async throws

    /// Has the service behave again. What it held back it does now.
    func end(_ fault: ServiceFault) async throws

    /// What the platform still holds of the managers, by kind; what there is none of is left out.
    func remains() async throws -> [String: Int]
}
