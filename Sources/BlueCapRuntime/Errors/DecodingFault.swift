// SPDX-License-Identifier: MIT

/// What a decoder of JSON found wrong, for errors that name the place.
package enum DecodingFault {
    /// The bytes are not JSON; the text says why.
    case notJSON(String)
    /// A value is missing or not of its kind.
    case invalid(path: String, reason: String)

    package init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context):
            // Of bytes that are no JSON the decoder says so without a path; what is wrong with a value has one.
            if context.codingPath.isEmpty {
                self = .notJSON(context.underlyingError.map { "\($0)" } ?? context.debugDescription)
            } else {
                self = .invalid(path: Self.path(context.codingPath), reason: context.debugDescription)
            }
        case .keyNotFound(let key, let context):
            self = .invalid(path: Self.path(context.codingPath + [key]), reason: "it is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .invalid(path: Self.path(context.codingPath), reason: context.debugDescription)
        @unknown default: self = .invalid(path: "", reason: "\(error)")
        }
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
}
