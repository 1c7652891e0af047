// SPDX-License-Identifier: MIT

/// The counts and times of the links of centrals since a ``PeripheralManager`` was created.
public struct CentralLinkStatistics: Sendable, Hashable {
    /// The number of centrals that connected and were not refused.
    public internal(set) var connectionCount = 0
    /// The number of links that the central ended or that were lost, with the radio too.
    public internal(set) var disconnectionCount = 0
    /// The number of links that the program ended.
    public internal(set) var forcedDisconnectionCount = 0
    /// The number of centrals beyond ``PeripheralManager/Configuration/maximumCentrals``.
    public internal(set) var refusedCount = 0
    /// The number of requests that waited for the app's answer when their link ended.
    public internal(set) var abandonedRequestCount = 0
    /// The number of long writes that were prepared in part when their link ended.
    public internal(set) var abandonedWriteCount = 0
    /// The number of procedures of control points that were under way when their link ended.
    public internal(set) var abandonedProcedureCount = 0
    /// The total duration of all finished links.
    public internal(set) var finishedConnectedDuration: Duration = .zero
    /// The total duration of all links, including those that stand.
    public internal(set) var cumulativeConnectedDuration: Duration = .zero
}

extension CentralLinkStatistics: CustomStringConvertible {
    /// The counts: `3 connections, 2 disconnections, 1 refused`.
    public var description: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        let ends = disconnectionCount + forcedDisconnectionCount
        return "\(count(connectionCount, "connection")), \(count(ends, "disconnection")), \(refusedCount) refused"
    }
}
