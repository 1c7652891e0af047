// SPDX-License-Identifier: MIT

/// Takes a backend's events, synchronously on the backend's executor, in order.
public struct CentralEventSink: Sendable {
    private let receive: @Sendable (CentralEvent) -> Void

    /// A sink that hands each event to `receive`.
    public init(_ receive: @escaping @Sendable (CentralEvent) -> Void) { self.receive = receive }

    /// Hands over the next event. Call it on the backend's executor only.
    public func callAsFunction(_ event: CentralEvent) { receive(event) }
}
