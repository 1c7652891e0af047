// SPDX-License-Identifier: MIT

/// An operation of a central on an attribute, for faults that concern one operation.
public enum VirtualOperation: Sendable, Hashable, CaseIterable {
    /// Reading the value.
    case read
    /// Writing the value, with a response.
    case write
    /// Switching notifications or indications on or off.
    case subscribe
}
