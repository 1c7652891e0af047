// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

extension LinkConnection {
    /// How far a link is.
    enum Phase: Equatable {
        /// `Connect` will be called: BlueZ is still busy with the link before, or with the agent.
        case postponed
        /// `Connect` was called.
        case connecting
        /// `Connect` ended without having met the device, or BlueZ forgot it meanwhile: the attempt begins anew soon.
        case interrupted
        /// `Connect` failed while BlueZ still says connected: told when that is over.
        case failing(OperationFailure)
        /// The manager took the attempt back.
        case aborting
        case connected
        case disconnecting
    }
}
#endif
