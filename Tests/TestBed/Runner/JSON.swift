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

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let values = try? container.decode([JSON].self) {
            self = .list(values)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}

/// The members that every answer of the test bed has.
struct AnswerHeader: Decodable {
    let id: Int?
    let ok: Bool
    let error: String?
    let code: UInt8?
}

/// The test bed's error when a command fails.
struct BedError: Error, CustomStringConvertible {
    let description: String
    /// The ATT error, when it was one.
    var code: UInt8?
}
#endif
