// SPDX-License-Identifier: MIT

package import BlueCapCore

/// One end of the connection between a guest and the program that shares its radio.
package protocol FrameChannel: AnyObject, Sendable {
    /// Whether so much waits to be sent that a sighting may be left out.
    var isSlow: Bool { get }

    /// Sends a frame, from any thread and without waiting.
    func send(_ frame: [UInt8])

    /// Ends the connection. Nothing arrives any more, not even the end.
    func close()
}

/// A frame, or the end of a connection.
package enum FrameArrival: Sendable {
    case frame([UInt8])
    /// The connection is over. The other end closed it, or this one did for the reason.
    case ended(BackendFailure?)
}
