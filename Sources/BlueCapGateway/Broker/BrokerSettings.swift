// SPDX-License-Identifier: MIT

#if Gateway
/// How a broker is reached, and how much is kept for it.
package struct BrokerSettings: Hashable, Sendable {
    /// Nil until a file or the command line names it.
    package var address: BrokerAddress?
    /// The name of this client, which only one connection of a broker may have at a time.
    package var clientID: String
    package var username: String?
    package var password: BrokerPassword?
    /// A file of certificates in PEM, one of which has to vouch for the broker's; nil for the system's.
    package var authorityFile: String?
    /// The certificate of this client, and its key, in PEM.
    package var certificateFile: String?
    package var keyFile: String?
    /// The message that the broker publishes when the connection ends without a farewell.
    package var will: BrokerMessage?
    /// How long a connection may be silent; whole seconds, 5 at the least.
    package var keepAlive: Duration = .seconds(15)
    /// How many topics may have a message that waits; the oldest is dropped, and counted.
    package var capacity = 4096
    /// Whether a message is of the connection for which it was published, and is never sent over a later one.
    package var endsWithConnection = false

    package init(address: BrokerAddress? = nil, clientID: String = "bluecap") {
        (self.address, self.clientID) = (address, clientID)
    }
}
#endif
