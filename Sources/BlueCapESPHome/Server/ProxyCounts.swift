// SPDX-License-Identifier: MIT

/// The numbers of a proxy, since its start.
package struct ProxyCounts: Hashable, Sendable {
    /// Clients that said hello.
    package var clients = 0
    /// Connections that the proxy ended, by the reason.
    package var refused: [ProxyFault: Int] = [:]
    /// Advertisements that were sent, to each client.
    package var advertisements = 0
    /// Advertisements that a client did not get, as it did not read, or the proxy had no room.
    package var droppedAdvertisements = 0
    /// Values that a client did not get, as it did not read.
    package var droppedValues = 0
    /// Links that came up.
    package var links = 0
    /// Links that were refused: there was no slot, or another client had the device.
    package var refusedLinks = 0
    /// Requests of attributes that failed: there was no link, no such handle or no room, or the device refused.
    package var failedRequests = 0

    package init() {}
}
