// SPDX-License-Identifier: MIT

import BlueCap

/// The decoded frame of a beacon or of a sensor in an advertisement.
struct AdvertisedFrame: Encodable, Sendable, Hashable {
    /// `"iBeacon"`, `"AltBeacon"`, `"Eddystone"` or `"BTHome"`.
    var kind: String
    /// The decoded fields by name. Several objects of one name are in the order in which they are sent.
    var fields: [String: [String]]
    /// The same on one line, without the kind.
    var text: String

    /// Kind and text.
    var line: String { text.isEmpty ? kind : "\(kind) \(text)" }

    /// The frames in an advertisement, in a fixed order; one that does not decode is left out.
    static func frames(in advertisements: PeripheralAdvertisements) -> [AdvertisedFrame] {
        [iBeacon(advertisements), altBeacon(advertisements), eddystone(advertisements), btHome(advertisements)]
            .compactMap(\.self)
    }

    static func companies(in advertisements: PeripheralAdvertisements) -> [String] {
        advertisements.manufacturerData.keys.sorted().compactMap { AssignedNumbers.companyName($0) }
    }

    private static func iBeacon(_ advertisements: PeripheralAdvertisements) -> AdvertisedFrame? {
        IBeacon(advertisements).map { beacon("iBeacon", $0.proximityUUID, $0.major, $0.minor, $0.measuredPower) }
    }

    private static func altBeacon(_ advertisements: PeripheralAdvertisements) -> AdvertisedFrame? {
        AltBeacon(advertisements).map { beacon("AltBeacon", $0.identifier, $0.major, $0.minor, $0.measuredPower) }
    }

    private static func beacon(
        _ kind: String, _ uuid: BluetoothUUID, _ major: UInt16, _ minor: UInt16, _ power: Int8
    ) -> AdvertisedFrame {
        let fields = [
            "uuid": [uuid.fullDescription], "major": ["\(major)"], "minor": ["\(minor)"], "power": ["\(power)"],
        ]
        return AdvertisedFrame(kind: kind, fields: fields, text: "\(major)/\(minor) \(uuid.fullDescription)")
    }

    private static func eddystone(_ advertisements: PeripheralAdvertisements) -> AdvertisedFrame? {
        switch Eddystone(advertisements) {
        case nil: return nil
        case .uid(let power, let namespace, let instance):
            return AdvertisedFrame(
                kind: "Eddystone",
                fields: ["namespace": [namespace.hex], "instance": [instance.hex], "power": ["\(power)"]],
                text: "\(namespace.hex)/\(instance.hex)")
        case .url(let power, let url):
            let text = TextLayout.printable(url.text)
            return AdvertisedFrame(kind: "Eddystone", fields: ["url": [text], "power": ["\(power)"]], text: text)
        case .ephemeral(let power, let identifier):
            return AdvertisedFrame(
                kind: "Eddystone", fields: ["ephemeral": [identifier.hex], "power": ["\(power)"]],
                text: "ephemeral \(identifier.hex)")
        case .telemetry(let telemetry):
            let volts = telemetry.voltage.map { TextLayout.decimal($0, digits: 3) }
            let degrees = telemetry.temperature.map { TextLayout.decimal($0, digits: 1) }
            let uptime = telemetry.uptime / 10
            var fields = ["count": ["\(telemetry.advertisingCount)"], "uptime": ["\(uptime)"]]
            fields["battery"] = volts.map { [$0] }
            fields["temperature"] = degrees.map { [$0] }
            let words = [volts.map { "\($0) V" }, degrees.map { "\($0) °C" }, "up \(uptime) s"]
            return AdvertisedFrame(
                kind: "Eddystone", fields: fields, text: words.compactMap(\.self).joined(separator: ", "))
        }
    }

    private static func btHome(_ advertisements: PeripheralAdvertisements) -> AdvertisedFrame? {
        guard let frame = BTHome(advertisements) else { return nil }
        if frame.isEncrypted { return AdvertisedFrame(kind: "BTHome", fields: [:], text: "encrypted") }
        let fields = frame.measurements.map { ($0.name, [TextLayout.printable($0.text)]) }
        let words = frame.measurements.map { TextLayout.printable($0.description) }
        return AdvertisedFrame(
            kind: "BTHome", fields: Dictionary(fields, uniquingKeysWith: +), text: words.joined(separator: ", "))
    }
}
