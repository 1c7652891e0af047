// SPDX-License-Identifier: MIT

/// How a value is written.
public enum WriteKind: Sendable, Hashable, Codable {
    /// With a response from the peer (Write Request, or prepared writes for a long value).
    case withResponse
    /// Without a response (Write Command).
    case withoutResponse
    /// Without a response, over a channel of this characteristic's own where the platform has one (BlueZ's AcquireWrite
    /// socket); the same as ``withoutResponse`` elsewhere.
    case withoutResponseOverSocket
}
