// SPDX-License-Identifier: MIT

/// One operation that a peripheral manager asks of its backend, answered by `PeripheralEvent.reply` with the same
/// identifier.
public struct PeripheralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// What is to be done.
    public let operation: PeripheralOperation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - id: The name that the backend's reply carries; never used for another request of the manager.
    ///   - operation: What the backend is to do, and with which service, advertisement or characteristic.
    public init(id: RequestID, operation: PeripheralOperation) {
        self.id = id
        self.operation = operation
    }
}
