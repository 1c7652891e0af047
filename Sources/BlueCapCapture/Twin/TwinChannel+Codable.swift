// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

extension TwinChannel: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case psm, behaviour, encrypted, refusal, maximumReceiveLength, units, closesAfter
    }

    /// Reads a PSM.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        guard let psm = try container.number(.psm, in: TwinLimits.psms) else {
            throw container.refusal(.psm, "it is missing")
        }
        var behaviour = Behaviour.keep
        if let name = try container.decodeIfPresent(String.self, forKey: .behaviour) {
            guard let named = Behaviour(rawValue: name) else {
                throw container.refusal(.behaviour, "'\(name.prefix(32))' is neither \"keep\", \"echo\" nor \"stall\"")
            }
            behaviour = named
        }
        self.init(
            psm: UInt16(psm), behaviour: behaviour,
            isEncrypted: try container.decodeIfPresent(Bool.self, forKey: .encrypted) ?? false,
            refusal: try container.number(.refusal, in: TwinLimits.refusals).map {
                ChannelRefusal(rawValue: UInt16($0))
            },
            maximumReceiveLength: try container.number(.maximumReceiveLength, in: TwinLimits.unitLengths) ?? 2048,
            units: try container.list(.units, maximum: TwinLimits.units),
            closesAfter: try container.number(.closesAfter, in: TwinLimits.unitCounts))
    }

    /// Writes a PSM.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(psm, forKey: .psm)
        if behaviour != .keep { try container.encode(behaviour, forKey: .behaviour) }
        if isEncrypted { try container.encode(true, forKey: .encrypted) }
        try container.encodeIfPresent(refusal?.rawValue, forKey: .refusal)
        if maximumReceiveLength != 2048 { try container.encode(maximumReceiveLength, forKey: .maximumReceiveLength) }
        if !units.isEmpty { try container.encode(units, forKey: .units) }
        try container.encodeIfPresent(closesAfter, forKey: .closesAfter)
    }
}

extension TwinUnit: Codable {
    private enum Key: String, CodingKey, CaseIterable { case received, after, value }

    /// Reads a unit.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        guard let value = try container.value(.value, maximum: TwinLimits.unitByteCount), !value.isEmpty else {
            throw container.refusal(.value, "it is missing or empty")
        }
        self.init(
            received: try container.number(.received, in: TwinLimits.unitCounts) ?? 0,
            after: try container.duration(.after) ?? .zero, value: value)
    }

    /// Writes a unit.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if received > 0 { try container.encode(received, forKey: .received) }
        if after > .zero { try container.encode(after.inSeconds, forKey: .after) }
        try container.encode(value.hex, forKey: .value)
    }
}
