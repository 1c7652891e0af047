// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A value that a central wrote to a virtual attribute.
public struct VirtualWrite: Sendable, Hashable {
    /// What was written.
    public var value: Bytes
    /// Whether it came as a request, with a response, rather than as a command.
    public var wantsResponse: Bool

    /// Creates a write.
    public init(value: Bytes, wantsResponse: Bool) {
        self.value = value
        self.wantsResponse = wantsResponse
    }
}
