// SPDX-License-Identifier: MIT

/// One operation that a manager asks of a backend, answered by `CentralEvent.reply` with the same identifier.
public struct CentralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// What is to be done.
    public let operation: CentralOperation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - id: The name that the backend's reply carries; never used for another request of the manager.
    ///   - operation: What the backend is to do, and on which peripheral.
    public init(id: RequestID, operation: CentralOperation) {
        self.id = id
        self.operation = operation
    }
}
