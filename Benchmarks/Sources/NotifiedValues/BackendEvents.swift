// SPDX-License-Identifier: MIT

import BlueCapCore
import Synchronization

/// Takes the events of a backend: keeps all but the values after the first, which are counted alone.
final class BackendEvents: Sendable {
    private let values = Atomic<Int>(0)
    private let (stream, continuation) = AsyncStream.makeStream(of: CentralEvent.self)

    var valueCount: Int { values.load(ordering: .relaxed) }

    var sink: CentralEventSink {
        CentralEventSink { [self] event in
            if case .valueChanged = event, values.add(1, ordering: .relaxed).oldValue > 0 { return }
            continuation.yield(event)
        }
    }

    /// Waits for an event, which must come.
    @discardableResult
    func next<Found>(_ pick: (CentralEvent) -> Found?) async -> Found {
        for await event in stream {
            if let found = pick(event) { return found }
        }
        preconditionFailure("the backend has ended")
    }
}
