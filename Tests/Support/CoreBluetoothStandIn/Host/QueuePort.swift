// SPDX-License-Identifier: MIT

import Dispatch

// SAFETY: `manager` is written in `init` only, and read and used on `queue` alone; `isEmpty` reads the weak reference,
// which the runtime does atomically.
/// The way from other threads to a manager on its delegate queue (M7).
final class QueuePort: @unchecked Sendable {
    private weak var manager: CBManager?
    private let queue: DispatchQueue
    private let host: StandIn

    init(_ manager: CBManager, queue: DispatchQueue, host: StandIn) {
        self.manager = manager
        self.queue = queue
        self.host = host
    }

    var isEmpty: Bool { manager == nil }

    /// Calls `body` on the queue, unless the manager is gone by then.
    func post(_ body: @escaping @Sendable (CBManager) -> Void, finally: (@Sendable () -> Void)? = nil) {
        host.noteActivity()
        queue.async { [self] in
            if let manager { body(manager) }
            finally?()
        }
    }
}
