// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore

/// The counter of the newest frame of a sensor that encrypts its frames.
package struct FrameCounter: Hashable, Sendable {
    package var device: PeerIdentifier
    /// A fingerprint of the key, as another key has counters of its own.
    package var key: UInt64
    package var counter: UInt32
}
#endif
