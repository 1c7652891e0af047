// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What an operation gave.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum CentralReply: Sendable, Hashable {
    /// It was done; there is nothing to tell.
    case done
    /// The value that was read.
    case value(Bytes)
    /// Signal strength in dBm.
    case rssi(Int)
    /// Services, in the order of the peer's database.
    case services([DiscoveredService])
    /// Characteristics, in the order of the peer's database.
    case characteristics([DiscoveredCharacteristic])
    /// Descriptors, in the order of the peer's database.
    case descriptors([DiscoveredDescriptor])
    /// Peripherals that the platform knows.
    case peripherals([KnownPeripheral])
}
