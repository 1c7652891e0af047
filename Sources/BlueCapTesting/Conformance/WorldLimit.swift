// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A feature that a world's platform makes impossible.
///
/// A behaviour with such a feature is not skipped: it shows the ``error`` instead, or its other results where the limit
/// has none.
public struct WorldLimit: Sendable, Hashable {
    /// A thing that a platform can make impossible.
    ///
    /// A minor version may add cases: a `switch` outside of the package needs a `default`.
    public enum Subject: Sendable, Hashable {
        /// The recognition of this ATT error of a read.
        case readError(ATTError)
        /// The recognition of this ATT error of a write.
        case writeError(ATTError)
        /// The recognition of this ATT error of a subscription.
        case subscribeError(ATTError)
        /// The signal strength of a connection.
        case rssi
        /// Setting the parameters of a connection.
        case connectionParameters
        /// Opening and taking connection-oriented channels.
        case channels
        /// The bounds of the units of a channel: the platform joins and cuts them, and keeps their bytes.
        case unitBoundaries
        /// The result code with which a peer refuses a channel: the refusal has none, and a peer that wants another
        /// security than the link has is not known to have refused at all.
        case channelRefusal
        /// The rule of a channel that a peer has broken.
        case channelFault
        /// Discovery at the app's request: the platform discovers by itself when it connects, and may finish before, as
        /// ``ConformancePeer/holdDiscovery()`` does nothing.
        case unaskedDiscovery
        /// A report of a change of the peer's database while the peer owes a response: the link ends first, for want of
        /// that response.
        case serviceChangeWhileAsked
        /// Sending an advertisement with this option.
        case advertising(AdvertisingOption)
        /// Sending an advertisement of more than 31 bytes, where extended advertising itself can be chosen.
        case longAdvertisement
        /// A count of the packets that a device advertises: the platform may make one report of several.
        case advertisementCount
        /// A scan for every packet.
        case everyPacket
        /// A passive scan.
        case passiveScan
        /// A passive scan for service data.
        case serviceDataPattern
        /// The separation of data in the scan response from data in the advertisement.
        case scanResponseApart
        /// Advertising data as they were sent in this field.
        case advertisingField(String)
        /// Writing a descriptor with this UUID in full (four hexadecimal digits or the whole UUID).
        case writeDescriptor(String)
        /// Keeping a link on which a request was refused for want of an authenticated key.
        case weakKey
        /// Ending the link of a central, and with it a limit of the number of centrals.
        case centralDisconnection
        /// A report of the security of a central's link.
        case linkSecurity
        /// A report of the parts of a long write that was not finished when its link ended.
        case preparedWrites
        /// A report that a central left while a request of it waited for an answer, or the survival of that.
        case abandonedWork
    }

    /// The thing that is impossible.
    public var subject: Subject
    /// A sentence that says why.
    public var reason: String
    /// The error that the call throws instead; nil when it throws none and the result is absent.
    public var error: ErrorReason?

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - subject: The thing that is impossible.
    ///   - reason: A sentence that says why.
    ///   - error: The error that the call throws instead; nil when it throws none and the result is absent.
    public init(_ subject: Subject, reason: String, error: ErrorReason? = nil) {
        self.subject = subject
        self.reason = reason
        self.error = error
    }
}
