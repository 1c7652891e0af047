// SPDX-License-Identifier: MIT

import BlueCap

/// A value of a characteristic, as `read`, `write` and `notify` print it.
struct ValueEvent: Encodable, Sendable {
    /// For help texts.
    static let help = """
        JSON
          event "value" (of write "written"), index from 1, characteristic and
          service (UUIDs, short ones as shortCharacteristic and shortService), name,
          value (hexadecimal), text and, as the profile reads it, where it does,
          fields (texts), numbers (those that are, as such) and units; date. Keys
          are only ever added.
        """

    var event = "value"
    var index: Int
    /// The full UUID.
    var characteristic: String
    /// The full UUID.
    var service: String?
    /// The UUIDs as people know them.
    var shortCharacteristic: String
    var shortService: String?
    var name: String?
    /// Hexadecimal digits.
    var value: String
    /// The value in the words of its profile; without a profile as UTF-8.
    var text: String?
    /// The parts of the value by the profile's names.
    var fields: [String: String]?
    var numbers: [String: Double]?
    /// The units of the parts, which are in the text.
    var units: [String: String]?
    var date: String
    /// Whether the profile does not take the bytes for a value; for people, to whom bytes alone may look like one.
    let isRefused: Bool

    private enum CodingKeys: String, CodingKey {
        case event, index, characteristic, service, shortCharacteristic, shortService, name, value, text, fields,
            numbers, units, date
    }

    init(_ value: Bytes, of characteristic: Characteristic, index: Int, date: Timestamp) {
        let service = characteristic.service?.uuid
        let read = ValueText(value, of: characteristic.uuid, in: service)
        self.index = index
        self.characteristic = characteristic.uuid.fullDescription
        self.service = service?.fullDescription
        shortCharacteristic = characteristic.uuid.description
        shortService = service?.description
        name = KnownProfiles.characteristicName(characteristic.uuid, in: service)
        self.value = value.hex
        text = read.line
        fields = read.fields
        numbers = read.numbers
        units = read.units
        isRefused = read.isRefused
        self.date = JSONLine.date(date)
    }

    /// `"98 %  62"`: the text where there is one, and the hexadecimal digits.
    var line: String { ValueText.line(text, hex: value, isRefused: isRefused) }

    /// The name; the UUID where there is none.
    var label: String { name ?? shortCharacteristic }

    /// The parts of the value that are numbers, without those that the value has in another unit, too.
    var quantities: [(name: String, unit: String, value: Double)] {
        (numbers ?? [:]).sorted { $0.key < $1.key }.compactMap { name, value in
            if name.hasSuffix("Raw"), fields?[String(name.dropLast(3))] != nil { return nil }
            return (name, units?[name] ?? "", value)
        }
    }
}
