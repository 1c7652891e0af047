// SPDX-License-Identifier: MIT

/// The fault for which a file of JSON is refused, with its place.
package enum DecodingFault: Error {
    /// The bytes are not JSON; the text says where and why.
    case notJSON(String)
    /// A value is missing or not of its kind; the path is empty where the whole is meant, and the reason has the place.
    case invalid(path: String, reason: String)

    package init(_ fault: JSONFault) {
        self = fault.isExcess ? .invalid(path: "", reason: fault.description) : .notJSON(fault.description)
    }

    /// - Parameters:
    ///   - error: The error of a decoder.
    ///   - json: The decoded value.
    package init(_ error: DecodingError, in json: PlacedJSON) {
        let place = json.place(of: error)
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.path(context.codingPath + [key]), reason: "it is missing", at: place)
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(path: Self.path(context.codingPath), reason: context.debugDescription, at: place)
        @unknown default: self.init(path: "", reason: "\(error)", at: place)
        }
    }

    /// - Parameters:
    ///   - path: The value, as `services[2].uuid`; empty for the whole.
    ///   - reason: The fault.
    ///   - place: The place of the value.
    package init(path: String, reason: String, at place: JSONPlace) {
        self = .invalid(path: path, reason: "\(reason) (\(place))")
    }

    /// `services[2].characteristics[0].uuid`; a key, which the file may have made up, with 64 characters at the most.
    package static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue.prefix(64)
            }
        }
    }

    /// The kind of a value, for the person who wrote another one.
    package static func name(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Double.Type, is Float.Type: "a number in range"
        case is any FixedWidthInteger.Type: "a number in range"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object in braces: {…}"
        case is [Any].Type: "a list"
        default: "of the kind that belongs here"
        }
    }
}
