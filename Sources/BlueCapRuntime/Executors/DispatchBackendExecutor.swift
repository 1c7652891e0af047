// SPDX-License-Identifier: MIT

public import Dispatch
import Synchronization

/// The thread of control of a backend whose platform calls back on a dispatch queue, as CoreBluetooth does, or that
/// needs no event loop of its own.
public final class DispatchBackendExecutor: BackendExecutor {
    /// The serial queue on which everything runs. Hand it to the platform, so that its callbacks arrive on the
    /// executor.
    public let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()
    private let begun = Atomic<UInt>(0)
    /// How many jobs and bodies have been begun.
    package var workCount: UInt { begun.load(ordering: .relaxed) }

    /// Creates an executor with a serial queue of its own.
    ///
    /// - Parameter label: The queue's label, which debuggers and crash reports show.
    public init(label: String) {
        // On Apple's platforms each callback gives back what it autoreleased; elsewhere the option changes nothing.
        queue = DispatchQueue(label: label, autoreleaseFrequency: .workItem)
        queue.setSpecific(key: key, value: true)
    }

    /// A Boolean value that is true if the caller runs on the executor's queue.
    public var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    /// Runs a job on the queue, after the jobs and bodies submitted or enqueued before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            countWork()
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    /// Runs `body` on the queue, after the jobs and bodies submitted or enqueued before it.
    public func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            countWork()
            body()
        }
    }

    /// Counts a job or a body. The queue is serial, so nothing else counts meanwhile.
    private func countWork() { begun.store(workCount &+ 1, ordering: .relaxed) }

    /// Traps when the caller does not run on the executor's queue.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Returns whether the caller runs on the executor's queue; never nil.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Returns the executor as an actor names it. The executor must outlive the actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// Returns the executor as a task names it. The executor must outlive the task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}
