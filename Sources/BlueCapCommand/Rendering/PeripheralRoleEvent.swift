// SPDX-License-Identifier: MIT

/// An event at an emulated peripheral.
struct PeripheralRoleEvent: Encodable, Sendable {
    var event: String
    var name: String?
    var services: [String]?
    /// Which central, where the platform says.
    var central: String?
    var characteristic: String?
    /// Hexadecimal digits.
    var value: String?
    /// The value in the words of its characteristic's type.
    var text: String?
    /// Why something was refused.
    var error: String?

    private enum Key: String, CodingKey {
        case event, name, services, shortServices, central, characteristic, shortCharacteristic, value, text, error
    }

    /// Encodes UUIDs twice: as they are here, and as people know them.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(event, forKey: .event)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(services, forKey: .services)
        try container.encodeIfPresent(services?.map(JSONLine.short), forKey: .shortServices)
        try container.encodeIfPresent(central, forKey: .central)
        try container.encodeIfPresent(characteristic, forKey: .characteristic)
        try container.encodeIfPresent(characteristic.map(JSONLine.short), forKey: .shortCharacteristic)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(error, forKey: .error)
    }
}
