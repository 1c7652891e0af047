// SPDX-License-Identifier: MIT

/// A fault of JSON, found before or by its decoding, for errors that name the place.
package enum DecodingFault: Error {
    /// The bytes are not JSON; the text says where and why.
    case notJSON(String)
    /// A value is missing or not of its kind; the path is empty where it is not known.
    case invalid(path: String, reason: String)

    /// - Parameters:
    ///   - error: The decoder's error.
    ///   - text: The decoded bytes.
    package init(_ error: DecodingError, in text: [UInt8]) {
        switch error {
        case .dataCorrupted(let context):
            // For bytes that are no JSON the decoder's error has neither path nor place. An error in a value has a
            // path, unless the value is the whole. A number that does not fit its type has neither path nor place, and
            // the decoder's own words for it are misleading.
            if context.codingPath.isEmpty, let fault = JSONFault(in: text) {
                self = .notJSON(fault.description)
            } else if context.codingPath.isEmpty, context.debugDescription.contains("valid JSON") {
                self = .invalid(path: "", reason: Self.misfit)
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

    /// The text for JSON that the decoder refuses without a path: as far as is known, it does so for numbers alone.
    private static let misfit =
        "a value in it does not fit its place, most likely a number that is too great or not whole"

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
