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
