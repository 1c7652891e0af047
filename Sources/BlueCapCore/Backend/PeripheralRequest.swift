// SPDX-License-Identifier: MIT

/// One operation that a peripheral manager asks of its backend, answered by `PeripheralEvent.reply` with the same
/// identifier.
public struct PeripheralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// What is to be done.
    public let operation: PeripheralOperation

    /// A request with its name.
    public init(id: RequestID, operation: PeripheralOperation) {
        self.id = id
        self.operation = operation
    }
}
