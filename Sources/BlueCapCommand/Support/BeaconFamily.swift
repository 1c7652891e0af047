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

    /// The name that people know it by.
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
