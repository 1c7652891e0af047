// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// The distance of a virtual peripheral from the virtual adapters.
///
/// The first three give the usual mean signal strengths; ``metres(_:)`` follows the log-distance path-loss model with
/// an exponent of 2.5 and −59 dBm at one metre.
public enum VirtualProximity: Sendable, Hashable {
    /// Touching: −40 dBm.
    case immediate
    /// In the room: −70 dBm.
    case near
    /// At the edge of range: −100 dBm.
    case far
    /// Out of range: no adapter receives it.
    case outOfRange
    /// A mean signal strength in dBm; out of range below −110.
    case rssi(Int)
    /// A distance in metres; out of range beyond about 100 metres.
    case metres(Double)

    /// The mean signal strength at a receiver in dBm; nil where nothing is received.
    public var meanRSSI: Double? {
        switch self {
        case .immediate: return -40
        case .near: return -70
        case .far: return -100
        case .outOfRange: return nil
        case .rssi(let rssi): return Double(rssi) < Self.sensitivity ? nil : Double(rssi)
        case .metres(let distance):
            guard distance.isFinite else { return nil }
            let rssi = -59 - 25 * log10(max(distance, 0.05))
            return rssi < Self.sensitivity ? nil : rssi
        }
    }

    /// The weakest mean signal that is received at all, in dBm.
    static let sensitivity = -110.0
}
