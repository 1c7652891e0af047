// SPDX-License-Identifier: MIT

import BlueCapRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The error of a JSON decoder, as a sentence with the place.
enum JSONFailure {
    /// Decodes JSON that holds no more than the limits.
    ///
    /// - Throws: An error for ``text(_:in:)``.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], within limits: JSONLimits
    ) throws -> Value {
        if let fault = limits.fault(in: bytes) { throw fault }
        return try JSONDecoder().decode(type, from: Data(bytes))
    }

    static func text(_ error: any Error, in bytes: [UInt8]) -> String {
        if let fault = error as? DecodingFault { return text(fault) }
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath))'\(key.stringValue)' is missing"
        case .valueNotFound(_, let context): return place(context.codingPath) + "there is no value"
        case .typeMismatch(_, let context) where context.codingPath.isEmpty:
            return "this is no object in braces: {…}"
        case .typeMismatch(let type, let context):
            return place(context.codingPath) + "the value is not \(name(type))"
        case .dataCorrupted: return text(DecodingFault(error, in: bytes))
        @unknown default: return "\(error)"
        }
    }

    private static func text(_ fault: DecodingFault) -> String {
        switch fault {
        case .notJSON(let reason): "this is not JSON: \(reason)"
        case .invalid(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        }
    }

    /// `"devices[2].name: "`; nothing for the whole.
    static func place(_ path: [any CodingKey]) -> String {
        let text = DecodingFault.path(path)
        return text.isEmpty ? "" : text + ": "
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Double.Type, is Int.Type, is UInt8.Type, is UInt16.Type, is UInt64.Type: "a number in range"
        case is Bool.Type: "true or false"
        case is [String].Type: "a list of texts"
        case is [String: Any].Type: "an object in braces: {…}"
        case is [Any].Type: "a list"
        default: "of the kind that belongs here"
        }
    }
}
