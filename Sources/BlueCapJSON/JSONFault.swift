// SPDX-License-Identifier: MIT

/// The first place at which a text is not JSON (RFC 8259), or more of it than is allowed.
package struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let place: JSONPlace
    /// The description of the fault, without the place.
    package let reason: String
    /// Whether the text is JSON up to there, and only not allowed.
    package let isExcess: Bool

    init(_ place: JSONPlace, _ reason: String, isExcess: Bool = false) {
        (self.place, self.reason, self.isExcess) = (place, reason, isExcess)
    }

    /// The place and the fault, as in `line 4, column 41: ',' or '}' is expected, not '"'`.
    package var description: String { "\(place): \(reason)" }
}
