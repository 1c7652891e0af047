// SPDX-License-Identifier: MIT

/// The reason why bytes of the native API are not understood. Each ends the connection on which they came.
package enum WireError: Error, Hashable, Sendable {
    /// A frame begins with another byte than its kind of connection has.
    case badIndicator(UInt8)
    /// A frame is longer than its reader takes.
    case tooLong
    /// The number of a message, a field or its length breaks the rules of the encoding.
    case malformed
    /// An encrypted message was changed, or is of another key.
    case undecipherable
}
