// SPDX-License-Identifier: MIT

import BlueCapJSON

/// The fault of a file of the tool, as a sentence with the place.
struct JSONFailure: Error {
    let text: String

    /// Decodes JSON that holds no more than the limits.
    ///
    /// - Throws: ``JSONFailure``, or an error of the type.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], within limits: JSONLimits
    ) throws -> Value {
        let json: PlacedJSON
        do throws(JSONFault) {
            json = try PlacedJSON(bytes, within: limits)
        } catch {
            throw JSONFailure(text: error.isExcess ? error.description : "this is not JSON: \(error)")
        }
        do {
            return try json.decode(type)
        } catch let error as DecodingError {
            throw JSONFailure(text: "\(reason(error)) (\(json.place(of: error)))")
        }
    }

    /// The text for an error of ``decode(_:from:within:)``.
    static func text(_ error: any Error) -> String { (error as? JSONFailure)?.text ?? "\(error)" }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(place(context.codingPath))'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context) where context.codingPath.isEmpty: "this is no object in braces: {…}"
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            place(context.codingPath) + context.debugDescription
        @unknown default: "\(error)"
        }
    }

    /// `"devices[2].name: "`; nothing for the whole.
    private static func place(_ path: [any CodingKey]) -> String {
        let text = DecodingFault.path(path)
        return text.isEmpty ? "" : text + ": "
    }
}
