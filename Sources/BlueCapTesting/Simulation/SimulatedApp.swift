// SPDX-License-Identifier: MIT

/// An app that a ``Simulation`` runs in random worlds: its parts, its work, and the conditions that must hold in the
/// end.
///
/// <doc:RunningSimulations> has an example. All of it has to run on the radio's executor, as explained there, or a seed
/// does not give the same run twice.
public protocol SimulatedApp: Sendable {
    /// Creates the app and its surroundings: managers by the world, far devices on its radio.
    ///
    /// - Throws: An error that fails the run.
    init(in world: SimulatedWorld) async throws

    /// Runs the app, until it is done or its task is cancelled. Faults come meanwhile.
    ///
    /// - Throws: An error that fails the run, unless the task was cancelled.
    func run() async throws

    /// Checks the app. The simulation calls it when every fault has ended and the time to recover has passed, while
    /// ``run()`` may still go on.
    ///
    /// - Throws: An error that fails the run.
    func check() async throws

    /// Checks the pending work of the world's managers, after ``check()``: whether the app waits for an event that
    /// never comes. By default any work may be pending.
    ///
    /// - Parameter pending: The connections that are tried for, and the number of links, listeners, requests and so on.
    /// - Throws: An error that fails the run.
    func check(pending: PendingWork) async throws
}

extension SimulatedApp {
    /// Accepts everything that is pending.
    ///
    /// - Throws: Nothing.
    public func check(pending: PendingWork) async throws {}
}
