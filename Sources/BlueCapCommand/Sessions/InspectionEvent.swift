// SPDX-License-Identifier: MIT

import BlueCap

/// A step of `scan --inspect`.
struct InspectionEvent: Encodable, Sendable, Hashable {
    enum Kind: String, Encodable, Sendable {
        /// The device is connected to.
        case inspecting
        /// Its services were read, and it is disconnected.
        case inspected
        /// The link was not made, or lost; it is tried again.
        case retrying = "inspectionFailed"
        /// It is not tried again.
        case gaveUp = "inspectionGivenUp"
    }

    var event: Kind
    var id: String
    var name: String?
    /// UUIDs; nil before they were read.
    var services: [String]?
    /// The same UUIDs as people know them.
    var shortServices: [String]?
    /// How many characteristics there are in all.
    var characteristics: Int?
    /// How many attempts have timed out so far.
    var timeouts: Int
    /// How many links were lost, or not made for another reason, so far.
    var disconnections: Int
    var error: String?

    init(_ event: Kind, _ peripheral: Peripheral, _ tally: Inspector.Tally, error: (any Error)? = nil) {
        self.event = event
        id = peripheral.identifier.text
        name = peripheral.name
        (timeouts, disconnections) = (tally.timeouts, tally.disconnections)
        self.error = error.map { CommandFailure($0).message }
        if event == .inspected {
            services = peripheral.services.map(\.uuid.fullDescription)
            shortServices = peripheral.services.map(\.uuid.description)
            characteristics = peripheral.services.reduce(0) { $0 + $1.characteristics.count }
        }
    }

    /// The text in the table's row, and behind the name on a line.
    var text: String {
        let failures = [
            timeouts > 0 ? TextLayout.count(timeouts, "timeout") : nil,
            disconnections > 0 ? TextLayout.count(disconnections, "lost link") : nil,
        ].compactMap(\.self).joined(separator: ", ")
        switch event {
        case .inspecting: return "connecting" + (failures.isEmpty ? "" : " (\(failures))")
        case .inspected:
            let names = (services ?? []).map { text in
                (try? BluetoothUUID(text: text)).map { KnownProfiles.service($0) } ?? text
            }
            let counts =
                TextLayout.count(names.count, "service") + ", "
                + TextLayout.count(characteristics ?? 0, "characteristic")
            return ([counts] + (names.isEmpty ? [] : [names.joined(separator: ", ")])).joined(separator: ": ")
        case .retrying: return "again after " + (failures.isEmpty ? error ?? "a failure" : failures)
        case .gaveUp: return "gave up: " + (failures.isEmpty ? error ?? "it failed" : failures)
        }
    }

    /// `"inspected   C0:DE:00:00:00:02  Heart Strap  3 services, 7 characteristics: Heart Rate, Battery"`.
    var line: String {
        let word =
            switch event {
            case .inspecting: "inspecting"
            case .inspected: "inspected"
            case .retrying: "failed"
            case .gaveUp: "gave up"
            }
        return [TextLayout.pad(word, to: 10), id, TextLayout.printable(name ?? "-"), text].joined(separator: "  ")
    }
}
