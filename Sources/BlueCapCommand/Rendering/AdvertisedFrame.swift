// SPDX-License-Identifier: MIT

import BlueCap

/// The decoded frame of a beacon or of a sensor in an advertisement.
struct AdvertisedFrame: Encodable, Sendable, Hashable {
    /// `"iBeacon"`, `"AltBeacon"`, `"Eddystone"`, `"BTHome"`, or the name of a format of sensors.
    var kind: String
    /// The decoded fields by name. Several objects of one name are in the order in which they are sent.
    var fields: [String: [String]]
    /// The numbers and the units of names that have some, each at the place of its field; nil for a number that is not
    /// known, or for a field that is none, and an empty text for no unit.
    var numbers: [String: [Double?]]?
    var units: [String: [String]]?
    /// The same on one line, without the kind.
    var text: String

    /// Kind and text.
    var line: String { text.isEmpty ? kind : "\(kind) \(text)" }

    /// The frames in an advertisement, in a fixed order; one that does not decode is left out.
    static func frames(in advertisements: PeripheralAdvertisements) -> [AdvertisedFrame] {
        let own = [
            iBeacon(advertisements), altBeacon(advertisements), eddystone(advertisements), btHome(advertisements),
        ].compactMap(\.self)
        // Telemetry of Eddystone is a format, too.
        let readings = KnownFormats.formats.readings(in: advertisements).filter { reading in
            !own.contains { reading.format.hasPrefix($0.kind) }
        }
        return own + readings.map(sensor)
    }

    static func companies(in advertisements: PeripheralAdvertisements) -> [String] {
        advertisements.manufacturerData.keys.sorted().compactMap { AssignedNumbers.companyName($0) }
    }

    /// A decoded field.
    private struct Field {
        var name: String
        var text: String
        /// Nil for what is no number, and a nil within for a number that is not known.
        var number: Double??
        var unit: String?

        init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

        init(_ name: String, number text: String, _ unit: String? = nil) {
            (self.name, self.text, number, self.unit) = (name, text, Double(text), unit)
        }

        init(_ value: SensorValue) {
            (name, text) = (value.name, value.text ?? "unknown")
            guard !value.isState else { return }
            (number, unit) = (.some(value.number), value.unit.isEmpty ? nil : value.unit)
        }
    }

    private init(kind: String, _ fields: [Field?] = [], text: String) {
        let all = Dictionary(grouping: fields.compactMap(\.self), by: \.name)
        let numbers = all.filter { $0.value.contains { $0.number != nil } }
        let units = all.filter { $0.value.contains { $0.unit != nil } }
        (self.kind, self.text, self.fields) = (kind, text, all.mapValues { $0.map(\.text) })
        self.numbers = numbers.isEmpty ? nil : numbers.mapValues { $0.map { $0.number ?? nil } }
        self.units = units.isEmpty ? nil : units.mapValues { $0.map { $0.unit ?? "" } }
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
            Field("uuid", uuid.fullDescription), Field("major", number: "\(major)"), Field("minor", number: "\(minor)"),
            Self.power(power),
        ]
        return AdvertisedFrame(kind: kind, fields, text: "\(major)/\(minor) \(uuid.fullDescription)")
    }

    private static func power(_ power: Int8) -> Field { Field("power", number: "\(power)", "dBm") }

    private static func eddystone(_ advertisements: PeripheralAdvertisements) -> AdvertisedFrame? {
        switch Eddystone(advertisements) {
        case nil: return nil
        case .uid(let power, let namespace, let instance):
            return AdvertisedFrame(
                kind: "Eddystone",
                [Field("namespace", namespace.hex), Field("instance", instance.hex), Self.power(power)],
                text: "\(namespace.hex)/\(instance.hex)")
        case .url(let power, let url):
            let text = TextLayout.printable(url.text)
            return AdvertisedFrame(kind: "Eddystone", [Field("url", text), Self.power(power)], text: text)
        case .ephemeral(let power, let identifier):
            return AdvertisedFrame(
                kind: "Eddystone", [Field("ephemeral", identifier.hex), Self.power(power)],
                text: "ephemeral \(identifier.hex)")
        case .telemetry(let telemetry):
            let volts = telemetry.voltage.map { TextLayout.decimal($0, digits: 3) }
            let degrees = telemetry.temperature.map { TextLayout.decimal($0, digits: 1) }
            let uptime = telemetry.uptime / 10
            let fields = [
                Field("count", number: "\(telemetry.advertisingCount)"), Field("uptime", number: "\(uptime)", "s"),
                volts.map { Field("battery", number: $0, "V") },
                degrees.map { Field("temperature", number: $0, "°C") },
            ]
            let words = [volts.map { "\($0) V" }, degrees.map { "\($0) °C" }, "up \(uptime) s"]
            return AdvertisedFrame(
                kind: "Eddystone", fields, text: words.compactMap(\.self).joined(separator: ", "))
        }
    }

    private static func btHome(_ advertisements: PeripheralAdvertisements) -> AdvertisedFrame? {
        guard let frame = BTHome(advertisements) else { return nil }
        if frame.isEncrypted { return AdvertisedFrame(kind: "BTHome", text: "encrypted") }
        let fields = frame.measurements.map { object in
            let text = TextLayout.printable(object.text)
            // A state such as "open" is sent as a number, and a text may look like one.
            guard object.number != nil, Double(text) != nil else { return Field(object.name, text) }
            return Field(object.name, number: text, object.unit.isEmpty ? nil : TextLayout.printable(object.unit))
        }
        let words = frame.measurements.map { TextLayout.printable($0.description) }
        return AdvertisedFrame(kind: "BTHome", fields, text: words.joined(separator: ", "))
    }

    private static func sensor(_ reading: SensorReading) -> AdvertisedFrame {
        let about = [
            reading.counter.map { Field("counter", number: "\($0)") }, reading.address.map { Field("address", $0.hex) },
        ]
        let events = reading.events.map { event in
            Field(event.part.rawValue, event.description.trimmingPrefix("\(event.part) ").description)
        }
        return AdvertisedFrame(
            kind: TextLayout.printable(reading.format), reading.values.map(Field.init) + events + about,
            text: reading.description)
    }
}
