// SPDX-License-Identifier: MIT

/// One operation that a manager asks of a backend, answered by `CentralEvent.reply` with the same identifier.
public struct CentralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// What is to be done.
    public let operation: CentralOperation

    /// A request with its name.
    public init(id: RequestID, operation: CentralOperation) {
        self.id = id
        self.operation = operation
    }
}
