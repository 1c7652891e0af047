// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapKernel
import BlueCapRuntime

/// A backend with channels of the kernel's, of either role.
protocol ChannelRole: ChannelBackend {
    var channels: ChannelTable { get }
    var session: BlueZSession? { get }
    /// The adapter's path; nil while there is none.
    var adapter: String? { get }
    /// A device has opened a channel, which only one with a link can.
    func channelOpened(by peer: PeerIdentifier)
    /// Whether the link to a device stands.
    func hasLink(to peer: PeerIdentifier) -> Bool
    /// Runs `body` when time has passed on the manager's clock.
    @discardableResult
    func after(_ delay: Duration, _ body: @escaping @Sendable (isolated Self) -> Void) -> ClockTimer
}

extension ChannelRole {
    /// Where channels are opened, and the adapter's address there; nil without an adapter.
    var channelPlace: (ChannelPlace, KernelAddress)? { adapter.flatMap { session?.channels(of: $0) } }
}
#endif
