// SPDX-License-Identifier: MIT

import BlueCapCore
import Dispatch

/// A backend's thread of control on a serial dispatch queue, for backends that need no loop of their own.
final class DispatchBackendExecutor: BackendExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    func submit(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}
