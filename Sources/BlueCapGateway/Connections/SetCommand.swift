// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapJSON

/// A command of the broker: values to be written, by the names of their characteristics in the rule of the device.
struct SetCommand: Sendable {
    /// The reason why a message is no command, or why it is not carried out.
    enum Refusal: String, Error {
        case retained = "the broker kept it, and it may be old: publish commands without retain"
        case oversized = "it has more than 4096 bytes"
        case unknownDevice = "no rule allows commands for its device"
        case notValues = "it is no JSON object whose values are texts, as {\"Alert Level\": \"High Alert\"}"
        case unknownKey = "it has a key that is not in 'write' of its rule"
        case repeatedKey = "it has a key twice"
        case changing = "the rule of its device has just changed: publish it again"
        case unheard = "the device was not heard yet"
        case busy = "eight commands wait for the device already"
    }

    /// A message with a longer payload is refused.
    static let maximumByteCount = 4096
    private static let limits = JSONLimits(values: 64, depth: 2)

    /// A text, and the characteristic that it is written to.
    typealias Value = (name: CharacteristicName, text: String)

    let values: [Value]

    /// Reads a payload, such as `{"Alert Level": "High Alert"}`.
    ///
    /// - Parameter allowed: The characteristics that may be written.
    init(_ payload: [UInt8], allowed: [CharacteristicName]) throws(Refusal) {
        guard payload.count <= Self.maximumByteCount else { throw .oversized }
        guard let json = try? PlacedJSON(payload, within: Self.limits, allowsDoubleKeys: true),
            case .object(let members) = json.content,
            !members.isEmpty
        else { throw .notValues }
        var values: [Value] = []
        for member in members {
            guard case .text(let text) = member.value.content else { throw .notValues }
            guard let name = allowed.first(where: { $0.text == member.key }) else { throw .unknownKey }
            if values.contains(where: { $0.name == name }) { throw .repeatedKey }
            values.append((name, text))
        }
        self.values = values
    }
}
#endif
