// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore

/// A device that this machine is paired with, as bluetoothd knows it.
public struct BondedPeer: Sendable, Hashable {
    /// The address of the device: its identity address if it uses private ones.
    public var identifier: PeerIdentifier
    /// The name that the device gives itself, or the alias that a user gave it.
    public var name: String?
    /// A Boolean value that is true if some program is connected to the device.
    public var isConnected: Bool
}
#endif
