// SPDX-License-Identifier: MIT

public import BlueCapCore

/// Something that a world's platform makes impossible.
///
/// A behaviour that it concerns is not skipped: it is shown to give the expected error instead.
public struct WorldLimit: Sendable, Hashable {
    /// What can be impossible.
    ///
    /// A minor version may add cases: a `switch` outside of the package needs a `default`.
    public enum Subject: Sendable, Hashable {
        /// Getting this ATT error of a read told apart.
        case readError(ATTError)
        /// Getting this ATT error of a write told apart.
        case writeError(ATTError)
        /// Getting this ATT error of a subscription told apart.
        case subscribeError(ATTError)
        /// The signal strength of a connection.
        case rssi
        /// Switching the adapter off and on from here.
        case power
        /// A real channel of its own for notifications or writes (socket).
        case sockets
        /// Telling how many indications the central confirmed.
        case indicationConfirmations
        /// Discovering when the app asks for it: the platform discovers by itself when it connects, and may be done
        /// before.
        case unaskedDiscovery
        /// Telling of a change of the peer's database while the peer owes an answer: the link ends for want of that
        /// first.
        case serviceChangeWhileAsked
        /// Sending an advertisement with this option.
        case advertising(AdvertisingOption)
        /// Telling how often a device advertises: a central is told of changes.
        case advertisementCount
        /// Advertising data as they were sent in this field.
        case advertisingField(String)
        /// Reading or writing a descriptor with this UUID in full (four hexadecimal digits or the whole UUID).
        case readDescriptor(String)
        /// See ``readDescriptor(_:)``.
        case writeDescriptor(String)
        /// Keeping a link on which a request was refused for want of an authenticated key.
        case weakKey
        /// Every value of a burst arriving: the count of a behaviour that sends as fast as it can.
        case losslessBursts
    }

    /// What is impossible.
    public var subject: Subject
    /// Why, in a sentence.
    public var reason: String
    /// What the call throws instead; nil when it throws nothing and the result is just absent.
    public var error: ErrorReason?

    /// Creates a limit.
    public init(_ subject: Subject, reason: String, error: ErrorReason? = nil) {
        self.subject = subject
        self.reason = reason
        self.error = error
    }
}
