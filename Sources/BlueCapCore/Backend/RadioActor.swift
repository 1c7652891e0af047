// SPDX-License-Identifier: MIT

public import BlueCapRuntime

/// An actor that runs on a ``BackendExecutor``: a backend, or the manager that shares the executor with it.
///
/// Its `unownedExecutor` is the executor's, which the actor must keep alive:
///
/// ```swift
/// nonisolated let executor: any BackendExecutor
/// // SAFETY: a `let` of this actor keeps `executor`, so it lives as long as the unowned reference is used.
/// nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
/// ```
public protocol RadioActor: Actor {
    /// The thread of control on which the actor runs.
    nonisolated var executor: any BackendExecutor { get }
}

extension RadioActor {
    /// Runs `body` on the actor at once, from code that already runs on its executor without the compiler's knowledge:
    /// a callback of the platform, or a job submitted to the executor.
    ///
    /// The executor is asked whether it runs the caller, in release builds too; from anywhere else the call traps.
    ///
    /// - Parameter body: The code to run; it has the actor's isolation.
    /// - Returns: The result of `body`.
    public nonisolated func onExecutor<Result: Sendable>(_ body: (isolated Self) -> Result) -> Result {
        // SAFETY: the runtime asks the executor, by `isIsolatingCurrentContext` and `checkIsolated`, whether it runs
        // this.
        assumeIsolated(body)
    }

    /// Runs `body` on the actor at once, with an argument that need not be `Sendable`: an object that the platform
    /// hands to a callback.
    ///
    /// Such an object can be passed on as an argument and not as a capture of `body`. It belongs to the executor: after
    /// the call use it there only. Otherwise the same as ``onExecutor(_:)``.
    ///
    /// ```swift
    /// func found(_ device: PlatformDevice, strength: Int) {
    ///     backend?.onExecutor(with: (device, strength)) { backend, found in backend.sighted(found.0, found.1) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - argument: The argument of `body`; a tuple for several.
    ///   - body: The code to run; it has the actor's isolation. Without captures the call allocates nothing.
    /// - Returns: The result of `body`.
    @inlinable @inline(__always)
    public nonisolated func onExecutor<Argument, Result: Sendable>(
        with argument: Argument, _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        checkExecutor()
        // SAFETY: as in `callback`: the types differ in `isolated` alone, and the call is checked. The caller runs on
        // the executor, so the argument crosses to no other thread of control, and neither does the body: it is called
        // once, before this returns, and is not kept. It may escape only to spare a box for each call.
        return unsafe unsafeBitCast(body, to: ((Self, Argument) -> Result).self)(self, argument)
    }

    /// Runs `body` on the actor soon, in the order of the calls and without a task.
    ///
    /// Call it from any thread, for events that arrive on a thread of their own. A backend also uses it for events that
    /// follow from a command, because no event may be reported before the command has returned. `body` does not run
    /// once the actor is gone.
    ///
    /// - Parameter body: The code to run; it has the actor's isolation.
    public nonisolated func later(_ body: @escaping @Sendable (isolated Self) -> Void) {
        executor.submit(callback(body))
    }

    /// Makes a callback of the actor, for a platform that calls back on the executor.
    ///
    /// Call the callback on the executor only; from anywhere else it traps. It does not keep the actor alive and does
    /// nothing once the actor is gone.
    ///
    /// - Parameter body: The code to run; it has the actor's isolation.
    @inlinable
    public nonisolated func callback(_ body: @escaping @Sendable (isolated Self) -> Void) -> @Sendable () -> Void {
        // SAFETY: `isolated` says who may call and changes nothing of how a parameter is passed, so both types are
        // called alike; `assumeIsolated` of the standard library casts its argument in the same way. `checkExecutor`
        // traps any call from elsewhere. Done once for the callback, as it is called for every value.
        let body = unsafe unsafeBitCast(body, to: (@Sendable (Self) -> Void).self)
        return { [weak self] in
            guard let self else { return }
            self.checkExecutor()
            body(self)
        }
    }

    /// Makes a callback of the actor that takes an argument; otherwise the same as ``callback(_:)-(_)``.
    ///
    /// - Parameter body: The code to run, with the argument of the callback; it has the actor's isolation.
    @inlinable
    public nonisolated func callback<Argument: Sendable>(
        _ body: @escaping @Sendable (isolated Self, Argument) -> Void
    ) -> @Sendable (Argument) -> Void {
        // SAFETY: as in the callback without an argument: the types differ in `isolated` alone, and each call is
        // checked.
        let body = unsafe unsafeBitCast(body, to: (@Sendable (Self, Argument) -> Void).self)
        return { [weak self] argument in
            guard let self else { return }
            self.checkExecutor()
            body(self, argument)
        }
    }

    /// Traps off the executor.
    @inlinable
    package nonisolated func checkExecutor() {
        // The executor itself is asked first: the runtime's way to it is long.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
            executor.isIsolatingCurrentContext() == true
        {
            return
        }
        preconditionIsolated()
    }
}

/// The part of a backend that is about time, alike in both roles.
public protocol TimedBackend: RadioActor {
    /// The clock that a manager takes if its configuration names none. The continuous clock by default; a backend whose
    /// radio has a clock of its own returns that, and one that stands before another returns the other's.
    nonisolated var ownClock: BlueCapClock { get }
}

extension TimedBackend {
    /// The continuous clock.
    public nonisolated var ownClock: BlueCapClock { .continuous }
}

/// A backend of either role that takes part in restoration; the contract goes with those of ``CentralBackend`` and
/// ``PeripheralBackend``.
///
/// A manager with an identifier keeps a journal by itself, so a backend only takes up links and handles:
/// to answer `connect` of a peripheral whose link stands with `.connected`, and to give services the handles that are
/// asked for. Where the platform restores programs by itself (CoreBluetooth), the backend reports the state kept by
/// `.restored`, before its first `.stateChanged`. The manager then connects to those peripherals, and adds and
/// advertises those services and advertisements, as soon as the radio is on; requests for those that the platform
/// has already are answered at once.
public protocol RestoringBackend: RadioActor {
    /// Where managers over the backend keep their journals, unless their configuration names another place.
    nonisolated var restorationStore: any RestorationStore { get }

    /// Whether `.restored` may come.
    nonisolated var restoresState: Bool { get }
}

extension RestoringBackend {
    /// Files in the folder of the environment.
    public nonisolated var restorationStore: any RestorationStore { FileRestorationStore() }

    /// The platform forgets a program with its end.
    public nonisolated var restoresState: Bool { false }
}
