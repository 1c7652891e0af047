// SPDX-License-Identifier: MIT

package import BlueCapRuntime

/// Runs tasks on another executor, and notes how deep the stacks are from which they are resumed.
///
/// A closure that wraps itself once more at each value hands the value on from a deeper stack each time.
package final class StackProbe: TaskExecutor {
    private let base: any BackendExecutor
    /// The deepest place of a stack from which a task was resumed, by the number of the thread.
    private let deepest = Locked<[UInt: UInt]>([:])

    package init(over base: any BackendExecutor) { self.base = base }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (thread, place) = (ThreadIdentity.current.number, Self.place())
        deepest.withLock { $0[thread] = min($0[thread] ?? .max, place) }
        base.submit {
            // SAFETY: the closure holds this executor for as long as the job runs on it.
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Lets 100 values pass and then 500 more.
    ///
    /// - Returns: How many bytes deeper the later ones' stacks were on a thread that resumed tasks in both; nil if no
    ///   thread did. Two thunks more at each value make 30,000 bytes in a debug build.
    package nonisolated(nonsending) func growth(_ value: (_ number: Int) async throws -> Void) async rethrows -> UInt? {
        for number in 0..<100 { try await value(number) }
        let early = takeDeepest()
        for number in 100..<600 { try await value(number) }
        let late = takeDeepest()
        return early.compactMap { thread, place in late[thread].map { $0 < place ? place - $0 : 0 } }.max()
    }

    /// Returns the deepest places since the last call.
    private func takeDeepest() -> [UInt: UInt] {
        deepest.withLock { deepest in
            defer { deepest = [:] }
            return deepest
        }
    }

    /// The place of a variable of this call; stacks grow downwards.
    @inline(never)
    private static func place() -> UInt {
        var mark: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    }
}
