// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore
package import BlueCapSerDe

/// How the devices are published that fit a rule.
package struct GatewayRule: Hashable, Sendable {
    /// The devices of a rule: those for which all of its conditions hold.
    package struct Match: Hashable, Sendable {
        package var address: PeerIdentifier?
        /// The name that the device sends; with `*` at its end, all that begin with it.
        package var name: String?
        /// A service that the device advertises.
        package var service: BluetoothUUID?
        /// Whether its frames of BTHome are encrypted.
        package var isEncrypted: Bool?
        /// The name of a format of its frames; with `*` at its end, of all that begin with it.
        package var format: String?
        /// The identity of a beacon, or the beginning of it.
        package var beacon: BeaconIdentity?

        package init() {}

        func fits(_ subject: Subject) -> Bool {
            if let address, address != subject.identifier { return false }
            if let name, subject.name.map({ Self.fits($0, name) }) != true { return false }
            if let service, !subject.services.contains(service) { return false }
            if let format, !subject.formats.contains(where: { Self.fits($0, format) }) { return false }
            if let beacon, subject.beacon.map(beacon.covers) != true { return false }
            return isEncrypted == nil || isEncrypted == subject.isEncrypted
        }

        /// Whether each device that fits the other fits this, too.
        package func covers(_ other: Match) -> Bool {
            if let address, address != other.address { return false }
            if let name, other.name.map({ Self.fits($0, name) }) != true { return false }
            if let service, service != other.service { return false }
            if let format, other.format.map({ Self.fits($0, format) }) != true { return false }
            if let beacon, other.beacon.map(beacon.covers) != true { return false }
            return isEncrypted == nil || isEncrypted == other.isEncrypted
        }

        static func fits(_ name: String, _ pattern: String) -> Bool {
            pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
        }
    }

    /// The times of a rule.
    package struct Times: Hashable, Sendable {
        /// The shortest time between two states that differ; nil as the plan has it.
        package var shortest: Duration?
        /// The time after which a state that stays the same is published again; nil as the plan has it.
        package var longest: Duration?
        /// The time after which a device that is not heard counts as away; nil for one whose presence is not published.
        package var presence: Duration?
    }

    /// A device, as rules see it.
    struct Subject: Hashable {
        var identifier: PeerIdentifier
        var name: String?
        var services: [BluetoothUUID]
        /// Whether its frame of BTHome is encrypted; nil where it has none.
        var isEncrypted: Bool?
        /// The formats of its other frames.
        var formats: [String] = []
        /// Whether one of these is encrypted.
        var isSealed = false
        /// The identity of a beacon, which is its own device.
        var beacon: BeaconIdentity?

        /// Whether both have frames of the same kinds. Frames of another kind may be of another sender, or come in
        /// turn, and may have another rule.
        func hasFrames(of other: Subject?) -> Bool {
            isEncrypted == other?.isEncrypted && formats == other?.formats
        }
    }

    package var match = Match()
    package var isPublished = true
    /// The name that is published; nil for the name that the device sends.
    package var name: String?
    package var times = Times()
    /// The names of the values in its frames that are published; nil for all.
    package var values: Set<String>?
    /// How much a value has to change to be published, by its name.
    package var thresholds: [String: Double] = [:]
    /// Whether the values stay when the device is not heard any more; nil as its kind has it.
    package var keepsValues: Bool?
    /// The key of the device's frames; a device with one is not believed without it.
    package var key: BindKey?
    /// The connections to the device; nil for none. The rule has the address of its device alone then.
    package var connection: ConnectionRule?

    package init() {}

    /// Whether the value of a frame is published.
    func publishes(_ measurement: Measurement) -> Bool {
        values.map { $0.contains(measurement.key) || $0.contains(measurement.name) } ?? true
    }

    /// How much the value of a key has to change; nil for any change.
    func threshold(_ measurement: Measurement) -> Double? {
        thresholds[measurement.key] ?? thresholds[measurement.name]
    }
}
#endif
