// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

extension LinkConnection {
    /// How far a link is.
    enum Phase: Equatable {
        /// `Connect` will be called: BlueZ is still busy with the link before, or with the agent.
        case postponed
        /// A link of another program stands, and is about to be taken over.
        case joining
        /// `Connect` was called.
        case connecting
        /// `Connect` ended without having met the device, or BlueZ forgot it meanwhile: the attempt is soon repeated.
        case interrupted
        /// `Connect` failed while BlueZ still says connected: the failure is reported when that is over.
        case failing(OperationFailure)
        /// The manager cancelled the attempt.
        case aborting
        case connected
        case disconnecting
    }
}
#endif
