// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapJSON

/// The payload of the topic of a claim: `{"owner":"cellar","rssi":-63}`.
extension DeviceClaim {
    private static let maximumByteCount = 256
    private static let limits = JSONLimits(values: 16, depth: 2)
    private static let strengths = -127...20

    /// Reads a payload, and ignores members of other names.
    ///
    /// - Returns: Nil where it is no claim.
    package init?(payload: [UInt8]) {
        guard payload.count <= Self.maximumByteCount,
            let json = try? PlacedJSON(payload, within: Self.limits, allowsDoubleKeys: true),
            case .object(let members) = json.content
        else { return nil }
        var owner: String?
        var rssi: Int?
        for member in members {
            switch (member.key, member.value.content) {
            case ("owner", .text(let text)) where TopicText.level(text) == text && owner == nil: owner = text
            case ("rssi", .number) where rssi == nil:
                guard let number = member.value.number, let whole = Int(exactly: number), Self.strengths.contains(whole)
                else { return nil }
                rssi = whole
            case ("rssi", .null): break
            case ("owner", _), ("rssi", _): return nil
            default: break
            }
        }
        guard let owner else { return nil }
        self.init(owner: owner, rssi: rssi)
    }

    /// Its bytes; the owner has only characters of a level of a topic.
    package var payload: [UInt8] {
        Array("{\"owner\":\"\(owner)\",\"rssi\":\(rssi.map(String.init) ?? "null")}".utf8)
    }
}
#endif
