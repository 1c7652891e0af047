// SPDX-License-Identifier: MIT

/// An app that a ``Simulation`` runs in random worlds: what it is made of, what it does, and what must be true in the
/// end.
///
/// <doc:RunningSimulations> has an example. All of it has to run on the radio's executor, as is said there, or a seed
/// does not give the same run twice.
public protocol SimulatedApp: Sendable {
    /// Makes the app and its surroundings: managers by the world, far devices on its radio.
    init(in world: SimulatedWorld) async throws

    /// Runs the app, until it is done or its task is cancelled. Faults come meanwhile. An error that it throws, unless
    /// its task was cancelled, fails the run.
    func run() async throws

    /// Called when every fault was taken back and the time to recover has passed, while ``run()`` may still go on. An
    /// error that it throws fails the run.
    func check() async throws
}
