// SPDX-License-Identifier: MIT

/// What a central can do with an attribute, for faults that concern one of them.
public enum VirtualOperation: Sendable, Hashable, CaseIterable {
    /// Reading the value.
    case read
    /// Writing the value, with a response.
    case write
    /// Switching notifications or indications on or off.
    case subscribe
}
