// SPDX-License-Identifier: MIT

/// Whether the beacons, or other devices, of a region are near.
public enum RegionState: String, Sendable, Hashable, Codable {
    /// Monitoring has begun, nothing is known.
    case start
    /// Nothing is known: the radio went off.
    case unknown
    /// At least one of the region is heard.
    case inside
    /// None was heard for the region's exit delay.
    case outside
}
