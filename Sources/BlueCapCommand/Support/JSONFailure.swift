// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// What a decoder of JSON has to say, in a sentence with the place.
enum JSONFailure {
    /// - Parameter bytes: What was decoded.
    static func text(_ error: any Error, in bytes: [UInt8]) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath))'\(key.stringValue)' is missing"
        case .valueNotFound(_, let context): return place(context.codingPath) + "there is no value"
        case .typeMismatch(_, let context) where context.codingPath.isEmpty:
            return "this is no object in braces: {…}"
        case .typeMismatch(let type, let context):
            return place(context.codingPath) + "the value is not \(name(type))"
        case .dataCorrupted:
            switch DecodingFault(error, in: bytes) {
            case .notJSON(let reason): return "this is not JSON: \(reason)"
            case .invalid(let path, let reason): return path.isEmpty ? reason : "\(path): \(reason)"
            }
        @unknown default: return "\(error)"
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
        case is [Any].Type: "a list"
        default: "of the kind that belongs here"
        }
    }
}
