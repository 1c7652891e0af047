// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The frame of every journal: its magic bytes, of which format, for whom, how long, and whether it is whole.
///
/// All numbers are little-endian:
///
/// | bytes | field |
/// |---|---|
/// | 8 | `BlueCapJ` |
/// | 2 | the number of the format, 4 |
/// | 1 | the role: 1 central, 2 peripheral |
/// | 4 | how many bytes follow behind the next field |
/// | 4 | CRC-32 (IEEE 802.3) of all other bytes |
/// | … | the restore identifier, then the state to restore |
///
/// A later version of the package that changes the fields that follow raises the number. Formats 1 to 3 are read, too:
/// all lack the secondary PHY of an advertisement, the first two the modes of scans, and the first the absence of a
/// policy and the services that include the service of a subscription.
package enum JournalFormat {
    /// A journal that is longer is neither written nor read.
    static let maximumByteCount = 1 << 20

    private static let magic = Array("BlueCapJ".utf8)
    package static let version: UInt16 = 4
    private static let headerByteCount = 19

    enum Role: UInt8 {
        case central = 1
        case peripheral = 2
    }

    /// The whole journal; nil when it would be too long.
    static func encode(_ contents: some JournalCodable, _ role: Role, identifier: String) -> Bytes? {
        var body = JournalEncoder()
        body.put(identifier)
        contents.encode(into: &body)
        guard body.bytes.count <= maximumByteCount - headerByteCount else { return nil }
        return frame(body.bytes, role, version: version)
    }

    /// The header, followed by `body`: the identifier and the state to restore.
    static func frame(_ body: [UInt8], _ role: Role, version: UInt16) -> Bytes {
        var header = JournalEncoder()
        header.bytes = magic
        header.put(version)
        header.put(role.rawValue)
        header.put(UInt32(body.count))
        let sum = checksum(header.bytes + body)
        header.put(sum)
        return Bytes(header.bytes + body)
    }

    static func decode<Contents: JournalCodable>(
        _ type: Contents.Type, _ role: Role, identifier: String, from journal: Bytes
    ) throws(JournalFailure) -> Contents {
        var header = JournalDecoder(Array(journal))
        guard journal.count >= magic.count, try header.take(magic.count).elementsEqual(magic) else { throw .foreign }
        let version: UInt16 = try header.number()
        // Before anything else: a later format may look different behind this.
        guard version <= Self.version else { throw .newer(Int(version)) }
        let foundRole: UInt8 = try header.number()
        let length: UInt32 = try header.number()
        let start = header.position
        let sum: UInt32 = try header.number()
        let body = Array(try header.take(header.remaining))
        let bytes = Array(journal.prefix(start)) + body
        guard version > 0, body.count == length, checksum(bytes) == sum else { throw .corrupt }
        guard foundRole == role.rawValue else { throw .foreign }
        var decoder = JournalDecoder(body, version: version)
        guard try decoder.text() == identifier else { throw .foreign }
        let contents = try Contents(from: &decoder)
        guard decoder.remaining == 0 else { throw .corrupt }
        return contents
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

/// Why bytes are not the journal that they should be.
package enum JournalFailure: Error {
    case corrupt
    case foreign
    case newer(Int)

    var kind: RestorationFailure.Kind {
        switch self {
        case .corrupt: .corrupt
        case .foreign: .foreign
        case .newer(let version): .newer(version: version)
        }
    }
}
