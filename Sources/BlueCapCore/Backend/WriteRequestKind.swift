// SPDX-License-Identifier: MIT

/// The ATT procedure by which a central wrote.
public enum WriteRequestKind: Sendable, Hashable, Codable {
    /// A Write Request: the central waits for the answer.
    case request
    /// A Write Command: no answer reaches the central.
    case command
    /// Prepared writes, already put together to one value.
    case prepared
    /// The platform does not say (BlueZ, where a request and a command look alike).
    case unknown
}
