// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapCore
import Dispatch

/// Runs a backend that has no bus to run on.
final class PlainExecutor: BackendExecutor {
    private let queue = DispatchQueue(label: "bluecap")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    func submit(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
    func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
    func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: key) ?? false }
    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
#endif
