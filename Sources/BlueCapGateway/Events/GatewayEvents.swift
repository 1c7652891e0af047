// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

/// The events of a gateway and of all of its parts, in their order, until they are reported.
///
/// A stream would not do: a task that is cancelled takes no more from it, and the last events come after that.
package final class GatewayEvents: Sendable {
    /// The oldest event is dropped for one more than these.
    private static let limit = 1024

    private let waiting = Locked(RingBuffer<GatewayEvent>())
    private let pushes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init() {}

    package func push(_ event: GatewayEvent) {
        waiting.withLock { waiting in
            waiting.append(event)
            if waiting.count > Self.limit { _ = waiting.popFirst() }
        }
        pushes.continuation.yield()
    }

    /// Takes the events that wait.
    package func taken() -> [GatewayEvent] {
        waiting.withLock { waiting in
            var taken: [GatewayEvent] = []
            while let event = waiting.popFirst() { taken.append(event) }
            return taken
        }
    }

    /// Reports each event until the task is cancelled. Once.
    ///
    /// - Throws: The error of `report`, which is not called again then.
    func forEach(_ report: (GatewayEvent) throws -> Void) async rethrows {
        for await _ in pushes.stream { for event in taken() { try report(event) } }
    }
}
#endif
