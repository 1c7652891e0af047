// SPDX-License-Identifier: MIT

import BlueCap

/// A region of beacons in the settings: `office=7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70/1/7`.
struct NamedRegion: Sendable, Hashable {
    var name: String
    var uuid: BluetoothUUID
    var major: UInt16?
    /// Counts only beside a ``major``.
    var minor: UInt16?

    init(name: String, uuid: BluetoothUUID, major: UInt16? = nil, minor: UInt16? = nil) {
        (self.name, self.uuid, self.major, self.minor) = (name, uuid, major, minor)
    }

    init?(_ text: String) {
        guard let equals = text.lastIndex(of: "="), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        let parts = text[text.index(after: equals)...].split(separator: "/", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let uuid = ProximityUUID(argument: String(parts[0]))?.uuid else {
            return nil
        }
        self.uuid = uuid
        let numbers = parts.dropFirst().map { UInt16($0) }
        if numbers.contains(nil) { return nil }
        major = numbers.first ?? nil
        minor = numbers.dropFirst().first ?? nil
    }

    /// The text that it is read from again.
    var text: String { ([name + "=" + uuid.fullDescription] + numbers.map { "/\($0)" }).joined() }

    /// Major and minor, as far as they are given.
    private var numbers: [UInt16] { [major, major == nil ? nil : minor].compactMap(\.self) }

    var region: BeaconRegion {
        switch (major, minor) {
        case (let major?, let minor?):
            BeaconRegion(proximityUUID: uuid, identifier: name, major: major, minor: minor)
        case (let major?, nil): BeaconRegion(proximityUUID: uuid, identifier: name, major: major)
        default: BeaconRegion(proximityUUID: uuid, identifier: name)
        }
    }

    /// `"7C0E…, major 1, minor 7"`.
    var details: String {
        ([uuid.fullDescription] + zip(["major", "minor"], numbers).map { "\($0) \($1)" }).joined(separator: ", ")
    }
}
