// SPDX-License-Identifier: MIT

import BlueCap

/// The settings, by the names that `bluecap config` and the file of settings give them.
enum SettingKey: String, CaseIterable, Sendable {
    case backend
    case adapter
    case color
    case timeout
    case profiles
    case scanMode = "scan.mode"
    case scanServices = "scan.services"
    case scanDuration = "scan.duration"
    case scanLimit = "scan.limit"
    case scanSort = "scan.sort"
    case inspectConnections = "inspect.connections"
    case inspectTimeouts = "inspect.timeouts"
    case inspectDisconnections = "inspect.disconnections"
    case inspectWait = "inspect.wait"
    case beaconRegions = "beacon.regions"
    case beaconUUID = "beacon.uuid"
    case beaconMajor = "beacon.major"
    case beaconMinor = "beacon.minor"
    case beaconPower = "beacon.power"

    /// The advice about a name that is not a setting's.
    static func advice(on name: String) -> String {
        Suggestion.question(
            name, among: allCases.map(\.rawValue), advice: "'bluecap config' lists those that there are")
    }

    var form: SettingForm {
        switch self {
        case .adapter: .text
        case .backend: .backend
        case .color: .choice(["auto", "never"])
        case .timeout, .inspectWait: .seconds
        case .profiles: .files
        case .scanMode: .choice(["all", "services"])
        case .scanServices: .services
        case .scanDuration: .secondsOrOff
        case .scanLimit: .numberOrOff(1...1_000_000_000)
        case .scanSort: .choice(ScanOrder.allCases.map(\.rawValue))
        case .inspectConnections: .number(1...32)
        case .inspectTimeouts, .inspectDisconnections: .numberOrOff(0...1_000_000)
        case .beaconRegions: .regions
        case .beaconUUID: .uuid
        case .beaconMajor, .beaconMinor: .number(0...65_535)
        case .beaconPower: .number(-128...127)
        }
    }

    /// The value that counts where the setting is not set, for people.
    var usual: String {
        switch self {
        case .backend: "the platform's"
        case .adapter: "the first that is on"
        case .color: "auto"
        case .timeout: "10"
        case .scanMode: "all"
        case .profiles, .scanServices, .beaconRegions: "none"
        case .scanDuration, .scanLimit: "off"
        case .scanSort: "rssi"
        case .inspectConnections, .inspectWait: "1"
        case .inspectTimeouts, .inspectDisconnections: "5"
        case .beaconUUID: ProximityUUID.defaultUUID.fullDescription
        case .beaconMajor, .beaconMinor: "0"
        case .beaconPower: "-59"
        }
    }

    /// The effect of the setting, and the option that overrides it.
    var summary: String {
        switch self {
        case .backend: "The radio (--backend)."
        case .adapter: "BlueZ's adapter, by name or address (--adapter)."
        case .color: "Whether live views use colours."
        case .timeout: "How long finding, connecting, discovering, reading and writing may take, each (--timeout)."
        case .profiles: "Files of profiles for every command; a service in a file of --profiles wins."
        case .scanMode: "Whether 'scan' shows all devices, or those that advertise one of scan.services (--service)."
        case .scanServices: "The services that 'scan' looks for in the mode services (--service)."
        case .scanDuration: "How long 'scan' runs (--duration)."
        case .scanLimit: "'scan' ends when it has found so many devices (--limit)."
        case .scanSort: "The order of the table of 'scan' (--sort)."
        case .inspectConnections: "How many devices 'scan --inspect' is connected to at the same time (--connections)."
        case .inspectTimeouts: "How many timeouts of a device 'scan --inspect' accepts before it gives up (--retries)."
        case .inspectDisconnections:
            "How many lost links of a device 'scan --inspect' accepts before it gives up (--retries)."
        case .inspectWait: "The time before 'scan --inspect' tries a device again."
        case .beaconRegions: "The regions that 'beacon range' and 'beacon monitor' know by name."
        case .beaconUUID: "The UUID of 'beacon advertise', 'beacon range' and 'beacon monitor' (--uuid)."
        case .beaconMajor: "The major number of 'beacon advertise' (--major)."
        case .beaconMinor: "The minor number of 'beacon advertise' (--minor)."
        case .beaconPower: "The signal strength at one metre of 'beacon advertise' (--power)."
        }
    }
}
