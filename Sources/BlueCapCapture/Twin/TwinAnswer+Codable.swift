// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

extension TwinAnswer: Codable {
    private enum Key: String, CodingKey, CaseIterable { case write, replies }

    /// Reads a rule.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        guard container.contains(.replies) else { throw container.refusal(.replies, "it is missing") }
        self.init(
            write: try container.value(.write, maximum: TwinLimits.valueByteCount),
            replies: try container.list(.replies, maximum: TwinLimits.replies))
    }

    /// Writes a rule.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(write?.hex, forKey: .write)
        try container.encode(replies, forKey: .replies)
    }
}

extension TwinReply: Codable {
    private enum Key: String, CodingKey, CaseIterable { case characteristic, service, after, value }

    /// Reads a reply.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        guard let value = try container.value(.value, maximum: TwinLimits.valueByteCount) else {
            throw container.refusal(.value, "it is missing")
        }
        let characteristic = try container.decodeIfPresent(String.self, forKey: .characteristic)
        let service = try container.decodeIfPresent(String.self, forKey: .service)
        self.init(
            try characteristic.map { try container.uuid($0, .characteristic) },
            in: try service.map { try container.uuid($0, .service) },
            after: try container.duration(.after) ?? .zero, value: value)
    }

    /// Writes a reply.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(characteristic?.fullDescription, forKey: .characteristic)
        try container.encodeIfPresent(service?.fullDescription, forKey: .service)
        if after > .zero { try container.encode(after.inSeconds, forKey: .after) }
        try container.encode(value.hex, forKey: .value)
    }
}

extension TwinCharacteristic {
    /// The first rule that cannot be, by its place behind the list of rules, such as `[2].replies[0].service`.
    func answersFault(
        among targets: TwinTargets, at place: TwinRules.Place
    ) -> (path: String, reason: String)? {
        if answers.isEmpty { return nil }
        if properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
            return ("", "nothing is written here: 'properties' have neither 'write' nor 'writeWithoutResponse'")
        }
        var writes: Set<Bytes?> = []
        for (index, answer) in answers.enumerated() {
            if !writes.insert(answer.write).inserted {
                let write = answer.write.map { "'\($0.hex)'" } ?? "every write"
                return ("[\(index)].write", "another rule is of \(write), too")
            }
            for (number, reply) in answer.replies.enumerated() where targets.target(of: reply, at: place) == nil {
                let path = "[\(index)].replies[\(number)]"
                guard let uuid = reply.characteristic else {
                    return (path + ".characteristic", "it is missing, although there is a 'service'")
                }
                let home = reply.service.map { "a service \($0) with the characteristic" } ?? "a characteristic"
                return (path + ".characteristic", "the twin does not offer \(home) \(uuid)")
            }
        }
        return nil
    }
}
