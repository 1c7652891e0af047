// SPDX-License-Identifier: MIT

/// The presence of beacons, or of other devices, in a region.
public enum RegionState: String, Sendable, Hashable, Codable {
    /// Monitoring has begun, and the state is not known yet.
    case start
    /// The state is not known, because the radio went off.
    case unknown
    /// At least one device of the region is heard.
    case inside
    /// No device was heard for the region's exit delay.
    case outside
}
