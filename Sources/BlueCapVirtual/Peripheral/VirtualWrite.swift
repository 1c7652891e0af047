// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A value that a central wrote to a virtual attribute.
public struct VirtualWrite: Sendable, Hashable {
    /// The bytes that were written.
    public var value: Bytes
    /// A Boolean value that is true if it came as a request, with a response, and false if it came as a command.
    public var wantsResponse: Bool

    /// Creates a record of a write.
    ///
    /// - Parameters:
    ///   - value: The bytes that were written.
    ///   - wantsResponse: Whether it came as a request, with a response, rather than as a command.
    public init(value: Bytes, wantsResponse: Bool) {
        self.value = value
        self.wantsResponse = wantsResponse
    }
}
