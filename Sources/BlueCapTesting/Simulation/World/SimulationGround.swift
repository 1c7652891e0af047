// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A world in which a ``Simulation`` plays its random program over any backend: a conformance world whose backend can be
/// looked at and whose platform can be made to misbehave.
///
/// Its clock has to move by itself, and only when nothing else happens.
public protocol SimulationGround: ConformanceWorld {
    /// How much later than due a call may return: nothing where time waits for all that was begun.
    var tolerance: Duration { get }

    /// A central manager whose backend is what `layer` makes of the world's own.
    func makeCentral(
        through layer: @escaping @Sendable (any CentralBackend) -> any CentralBackend
    ) async throws -> CentralManager

    /// Has the platform's service misbehave until ``end(_:)``; does nothing where it cannot.
    func begin(_ fault: ServiceFault) async throws

    /// Has the service behave again. What it held back it does now.
    func end(_ fault: ServiceFault) async throws

    /// What the platform still holds of the managers, by kind; what there is none of is left out.
    func remains() async throws -> [String: Int]
}

/// How the service of a platform, such as bluetoothd, misbehaves. Its calls are numbered round and round.
public enum ServiceFault: Sendable, Hashable, CustomStringConvertible {
    /// Refuses a call whenever it is made.
    case refuses(call: Int)
    /// Does what a call says when the fault ends.
    case holdsBack(call: Int)
    /// Answers a call a second time, with an error.
    case answersTwice(call: Int)
    /// Says twice what has changed.
    case repeatsItself

    /// What the service does.
    public var description: String {
        switch self {
        case .refuses(let call): "refuses call \(call)"
        case .holdsBack(let call): "holds call \(call) back"
        case .answersTwice(let call): "answers call \(call) twice"
        case .repeatsItself: "says all twice"
        }
    }
}
