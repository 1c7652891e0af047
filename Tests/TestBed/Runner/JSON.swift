// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapSerDe
import Foundation

/// A value in a request to the test bed.
enum JSON: Encodable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case list([JSON])
    case object(any Encodable & Sendable)

    static func bytes(_ bytes: Bytes) -> JSON { .string(bytes.hex) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let value): try container.encode(value)
        }
    }
}

/// What every answer of the test bed has.
struct AnswerHeader: Decodable {
    let id: Int?
    let ok: Bool
    let error: String?
    let code: UInt8?
}

/// What the test bed says when it cannot do something.
struct BedError: Error, CustomStringConvertible {
    let description: String
    /// The ATT error, when it was one.
    var code: UInt8?
}
#endif
