// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore

/// A change in the work of a gateway, for people and for programs that watch it.
package enum GatewayEvent: Hashable, Sendable {
    // MARK: The broker

    case brokerConnected
    /// The connection was lost or could not be made, for a reason; it is tried again.
    case brokerLost(String)
    /// The broker refuses the connection, for a reason; it is tried again.
    case brokerRefused(String)
    /// The broker does not send the messages of a topic.
    case topicDenied(String)

    // MARK: The radio

    /// The radio is gone, for a reason; devices are not heard any more.
    case radioLost(String)
    /// The radio is back.
    case radioReturned

    // MARK: Devices

    /// A device is heard for the first time; not reported of devices for which another one gives way.
    case device(PeerIdentifier, name: String)
    /// There are too many devices, and the device that was heard longest ago gave way; reported once.
    case forgotten(PeerIdentifier)
    /// A device is not published any more: its rule has changed, or another one fits it now.
    case removed(PeerIdentifier)
    /// Frames of a device are not read although there is a key for it, for a reason; once for each reason.
    case unread(PeerIdentifier, String)

    // MARK: Connections to devices

    /// A device that stays connected is connected.
    case linked(PeerIdentifier)
    /// Its connection has ended.
    case unlinked(PeerIdentifier)
    /// A device was read over a connection; for the first time, or after a failure.
    case linkRead(PeerIdentifier)
    /// A connection, a value or a request of a device failed, for a reason; once for each reason.
    case linkFailed(PeerIdentifier, String)
    /// A command was carried out.
    case written(PeerIdentifier, key: String)
    /// A command was not carried out, for a reason.
    case notWritten(PeerIdentifier, key: String, String)
    /// A message of the topics for commands was refused, for a reason; once for each reason.
    case commandRefused(String)

    // MARK: Files

    /// The configuration was read again. Changes of some keys hold from the next start on.
    case configurationRead(keysForNextStart: [String])
    /// The configuration was read again, and has mistakes: all stays as it was.
    case configurationRefused(String)
    /// The file for the next start is not read, or not written, for a reason; once for each reason.
    case stateFault(String)

    // MARK: The end

    case ended(GatewayEnd)
}
#endif
