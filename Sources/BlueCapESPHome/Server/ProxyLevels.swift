// SPDX-License-Identifier: MIT

/// The numbers of a proxy that rise and fall.
package struct ProxyLevels: Hashable, Sendable {
    /// Clients that have said hello, and are connected.
    package var clients = 0
    /// Slots that are taken, and all of them.
    package var (links, slots) = (0, 0)
    package var isRadioOn = false

    package init() {}
}
