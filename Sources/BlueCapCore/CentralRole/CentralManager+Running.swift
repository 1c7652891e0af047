// SPDX-License-Identifier: MIT

extension CentralManager {
    /// Runs a body, and the child tasks that it starts, on the manager's executor. Calls and values cost less there
    /// than in an ordinary task, as no other thread is woken for them: see <doc:Streams>.
    ///
    /// ```swift
    /// let level = try await central.run {
    ///     try await peripheral.characteristic(BatteryService.Level.self).read(timeout: .seconds(2))
    /// }
    /// ```
    ///
    /// In the body never block the thread, by a sleep, a lock that is held for long, or a file, pipe or socket that is
    /// waited for, and never compute for long: the radio stands still meanwhile, for all managers of the adapter.
    ///
    /// In a function without an actor, the body may capture the same as the body of a task group. In a function of an
    /// actor, and at the top level of `main.swift`, which belongs to the main actor, it begins with `@concurrent in`:
    /// without these words it can belong to the actor and run there, and the log warns of it. Child tasks are those of
    /// task groups and `async let`; an unstructured `Task` runs elsewhere. Runs can be nested, those of other managers
    /// included. While the radio is off, and after the end of the manager, the body runs as well, and its calls throw.
    ///
    /// - Parameter body: The work. The manager is held until it ends, and cancellation reaches it.
    /// - Returns: The value that the body returns.
    /// - Throws: The error that the body throws, with the body's error type.
    @concurrent
    public nonisolated func run<Value, Failure: Error>(
        _ body: @isolated(any) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await runOnExecutor(body)
    }
}
