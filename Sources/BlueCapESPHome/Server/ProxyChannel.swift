// SPDX-License-Identifier: MIT

/// The way to one client: a socket, or a test.
package protocol ProxyChannel: AnyObject, Sendable {
    /// The bytes that wait until the client reads.
    var waitingCount: Int { get }

    /// Sends bytes in the order of the calls; none are refused.
    func send(_ bytes: [UInt8])

    /// Ends the connection, after what can be sent at once.
    func close()
}
