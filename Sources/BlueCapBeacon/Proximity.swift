// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// A rough distance of a beacon.
public enum Proximity: String, Sendable, Hashable, Codable, CaseIterable {
    /// No signal strength was measured.
    case unknown
    /// Within half a metre.
    case immediate
    /// Within three metres.
    case near
    /// Farther away than three metres.
    case far
}
