// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// The identity of a beacon, whatever address it sends from; in a rule also the beginning of one.
package struct BeaconIdentity: Hashable, Sendable {
    /// The UUID, the major and the minor number of an iBeacon, or the namespace and the instance of an Eddystone.
    private let parts: [String]

    /// The beacon in an advertisement; nil where it has none.
    init?(_ advertisements: PeripheralAdvertisements) {
        if let frame = IBeacon(advertisements) {
            parts = [frame.proximityUUID.fullDescription, "\(frame.major)", "\(frame.minor)"]
        } else if case .uid(_, let namespace, let instance) = Eddystone(advertisements) {
            parts = [namespace.hex.lowercased(), instance.hex.lowercased()]
        } else {
            return nil
        }
    }

    /// Reads `UUID/MAJOR/MINOR` or `NAMESPACE/INSTANCE`, or the beginning of it; nil for another text.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let (first, others) = (parts[0], parts.dropFirst())
        if Self.isHexadecimal(first, digits: 20) {
            guard others.count <= 1, others.allSatisfy({ Self.isHexadecimal($0, digits: 12) }) else { return nil }
            self.parts = parts
        } else {
            let numbers = others.map { UInt16($0) }
            guard first.utf8.count == 36, let uuid = try? BluetoothUUID(text: first), numbers.count <= 2,
                numbers.allSatisfy({ $0 != nil })
            else { return nil }
            self.parts = [uuid.fullDescription] + numbers.compactMap { $0.map { "\($0)" } }
        }
    }

    /// Reads the level of a beacon's topics; nil for another level.
    init?(level: String) {
        guard level.contains("_"), let identity = BeaconIdentity(level.replacing("_", with: "/")), identity.isWhole,
            identity.parts.joined(separator: "_") == level
        else { return nil }
        self = identity
    }

    private var isWhole: Bool { parts.count == (parts[0].utf8.count == 20 ? 2 : 3) }

    /// The beacon as a device, whose level of topics is this text.
    var device: PeerIdentifier { PeerIdentifier(parts.joined(separator: "_")) }

    /// Whether another beacon has this identity, or this beginning of one.
    func covers(_ other: BeaconIdentity) -> Bool { other.parts.starts(with: parts) }

    private static func isHexadecimal(_ text: String, digits: Int) -> Bool {
        text.utf8.count == digits && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
#endif
