// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The kinds of frames that `beacon advertise` can send.
enum BeaconFamily: String, ExpressibleByArgument, CaseIterable, Encodable, Sendable {
    case iBeacon = "ibeacon"
    case altBeacon = "altbeacon"
    case eddystoneUID = "eddystone-uid"
    case eddystoneURL = "eddystone-url"

    init(_ family: Beacon.Family) {
        self =
            switch family {
            case .iBeacon: .iBeacon
            case .altBeacon: .altBeacon
            case .eddystoneUID: .eddystoneUID
            }
    }

    var title: String {
        switch self {
        case .iBeacon: "iBeacon"
        case .altBeacon: "AltBeacon"
        case .eddystoneUID: "Eddystone-UID"
        case .eddystoneURL: "Eddystone-URL"
        }
    }
}

extension BeaconFamily {
    /// The advertisement of a beacon.
    ///
    /// - Parameters:
    ///   - power: The signal strength at one metre in dBm.
    ///   - url: The address of an Eddystone-URL frame.
    func advertisement(
        uuid: BluetoothUUID, major: UInt16, minor: UInt16, power: Int8, url: EddystoneURL? = nil
    ) -> Advertisement {
        // Eddystone gives the strength at no distance, which is 41 dB more.
        let close = Int8(clamping: Int(power) + 41)
        switch self {
        case .iBeacon:
            return IBeacon(proximityUUID: uuid, major: major, minor: minor, measuredPower: power).advertisement
        case .altBeacon:
            // 0xFFFF is the company identifier for tests.
            return AltBeacon(
                company: 0xFFFF, identifier: uuid, major: major, minor: minor, measuredPower: power
            ).advertisement
        case .eddystoneUID:
            let digits = Array(uuid.fullDescription.filter { $0 != "-" })
            let namespace = (try? Bytes(hex: String(digits[..<8] + digits[20...]))) ?? []
            let numbers = [major, minor].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            return Eddystone.uid(power: close, namespace: namespace, instance: Bytes([0, 0] + numbers)).advertisement
        case .eddystoneURL: return url.map { Eddystone.url(power: close, $0).advertisement } ?? Advertisement()
        }
    }
}

/// An address of the web as an Eddystone beacon sends it.
struct EddystoneURLArgument: ExpressibleByArgument, Sendable {
    var url: EddystoneURL

    init?(argument: String) {
        guard let url = EddystoneURL(argument) else { return nil }
        self.url = url
    }
}

/// The UUID of a family of beacons; a beacon's frame has room for a full one only.
struct ProximityUUID: ExpressibleByArgument, Sendable {
    /// The family that the commands mean when none is given, so that one finds the other.
    static let defaultUUID: BluetoothUUID = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"

    var uuid: BluetoothUUID

    init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    init?(argument: String) {
        guard argument.utf8.count >= 32, let uuid = try? BluetoothUUID(text: argument) else { return nil }
        self.uuid = uuid
    }

    var defaultValueDescription: String { uuid.fullDescription }
}
