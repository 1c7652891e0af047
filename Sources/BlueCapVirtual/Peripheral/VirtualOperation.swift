// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a central can do with an attribute, for faults that concern one of them.
public enum VirtualOperation: Sendable, Hashable, CaseIterable {
    /// Reading the value.
    case read
    /// Writing the value, with a response.
    case write
    /// Switching notifications or indications on or off.
    case subscribe
}

/// A value that a central wrote to a virtual attribute.
public struct VirtualWrite: Sendable, Hashable {
    /// What was written.
    public var value: Bytes
    /// Whether it came as a request, with a response, rather than as a command.
    public var wantsResponse: Bool

    /// A write.
    public init(value: Bytes, wantsResponse: Bool) {
        self.value = value
        self.wantsResponse = wantsResponse
    }
}
