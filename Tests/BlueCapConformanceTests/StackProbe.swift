// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime

/// Runs tasks on another executor, and notes how deep the stacks are from which they are resumed.
///
/// A closure that wraps itself once more at each value hands the value on from a deeper stack each time.
final class StackProbe: TaskExecutor {
    private let base: any BackendExecutor
    /// The deepest place of a stack from which a task was resumed, by the number of the thread.
    private let deepest = Locked<[UInt: UInt]>([:])

    init(over base: any BackendExecutor) { self.base = base }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (thread, place) = (ThreadIdentity.current.number, Self.place())
        deepest.withLock { $0[thread] = min($0[thread] ?? .max, place) }
        base.submit {
            // SAFETY: the closure holds this executor for as long as the job runs on it.
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Returns the deepest places since the last call.
    func takeDeepest() -> [UInt: UInt] {
        deepest.withLock { deepest in
            defer { deepest = [:] }
            return deepest
        }
    }

    /// The place of a variable of the caller's stack; stacks grow downwards.
    @inline(never)
    private static func place() -> UInt {
        var mark: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    }
}
#endif
