// SPDX-License-Identifier: MIT

/// Takes a peripheral backend's events, synchronously on the backend's executor, in order.
public struct PeripheralEventSink: Sendable {
    private let receive: @Sendable (PeripheralEvent) -> Void

    /// A sink that hands each event to `receive`.
    public init(_ receive: @escaping @Sendable (PeripheralEvent) -> Void) { self.receive = receive }

    /// Hands over the next event. Call it on the backend's executor only.
    public func callAsFunction(_ event: PeripheralEvent) { receive(event) }
}
