// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapPlatform
public import BlueCapSerDe

/// A beacon that is heard: an iBeacon, unless the beacons of all families are ranged.
public struct Beacon: Sendable, Hashable {
    /// The kinds of beacons that can be ranged, by their frames.
    public enum Family: String, Sendable, Hashable, Codable, CaseIterable {
        /// Apple's frames: ``IBeacon``.
        case iBeacon
        /// The frames of ``AltBeacon``, which any maker may send.
        case altBeacon
        /// Google's frames with identifiers: ``Eddystone/uid(power:namespace:instance:)``.
        case eddystoneUID
    }

    /// The kind of frame that the beacon sends.
    public let family: Family
    /// The UUID that the beacon shares with others of its owner. For an AltBeacon it is the identifier, for an
    /// Eddystone-UID the ten bytes of the namespace followed by the six of the instance.
    public let proximityUUID: BluetoothUUID
    /// The number of the group; 0 for an Eddystone-UID.
    public let major: UInt16
    /// The number of the beacon in its group; 0 for an Eddystone-UID.
    public let minor: UInt16
    /// The signal strength at a distance of one metre in dBm, as the beacon sends it. An Eddystone-UID sends the
    /// strength at no distance, from which 41 dB are subtracted (Eddystone Protocol Specification, UID, Tx Power).
    public let measuredPower: Int8
    /// The device that sends the beacon; if it changes its address, the newest one.
    public let peripheral: PeerIdentifier
    /// The time when the beacon was first heard.
    public let discoveredAt: Timestamp
    /// The time when the beacon was last heard.
    public let date: Timestamp
    /// The smoothed signal strength in dBm; nil if none was measured.
    public let rssi: Double?

    /// The distance in metres that corresponds to the signal strength in free space, 10^((measured power − RSSI) / 20);
    /// nil if none was measured. Walls, bodies and orientation easily double or halve it.
    public var accuracy: Double? { rssi.map { pow(10, (Double(measuredPower) - $0) / 20) } }

    /// The rough distance of the beacon, derived from ``accuracy``.
    public var proximity: Proximity {
        guard let accuracy else { return .unknown }
        return accuracy <= 0.5 ? .immediate : accuracy <= 3 ? .near : .far
    }
}

extension Beacon: CustomStringConvertible {
    /// The family, the identifier, the numbers of an iBeacon or AltBeacon, and how near it is:
    /// `iBeacon 9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1, major 1, minor 7, near (1.3 m)`.
    public var description: String {
        let numbers = family == .eddystoneUID ? "" : ", major \(major), minor \(minor)"
        return "\(family.rawValue) \(proximityUUID)\(numbers), \(proximity)" + (accuracy.map(Self.distance) ?? "")
    }

    private static func distance(_ metres: Double) -> String {
        // A signal strength that no radio measures would make a distance that does not fit into an integer.
        let tenths = Int64((min(metres, 1e9) * 10).rounded())
        return " (\(tenths / 10).\(tenths % 10) m)"
    }
}

/// Smooths signal strengths: a new one has a weight of one quarter, the past the rest.
struct RSSIFilter {
    private static let weight = 0.25
    private(set) var value: Double?

    mutating func add(_ rssi: Int) {
        value = value.map { $0 + Self.weight * (Double(rssi) - $0) } ?? Double(rssi)
    }
}

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
