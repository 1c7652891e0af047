// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// A descriptor of a virtual characteristic, other than the client configuration.
public final class VirtualDescriptor: Sendable {
    /// A function that returns the value for a read, or the error that refuses it.
    public typealias ReadHandler = @Sendable (VirtualDescriptor) -> Result<Bytes, ATTError>
    /// A function that accepts a value that was written, or refuses it. An accepted value becomes the descriptor's
    /// value.
    public typealias WriteHandler = @Sendable (VirtualDescriptor, Bytes) -> Result<Void, ATTError>

    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// The conditions on which a central may read and write the value.
    public let permissions: AttributePermissions

    let facts: Locked<AttributeFacts>
    private let onRead: ReadHandler?
    private let onWrite: WriteHandler?

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the descriptor.
    ///   - permissions: The conditions on which a central may read and write it.
    ///   - value: The value at the start.
    ///   - onRead: Returns the value of each read; nil returns the stored value.
    ///   - onWrite: Accepts or refuses each value that is written; nil accepts all.
    public init(
        _ uuid: BluetoothUUID, permissions: AttributePermissions = [.readable, .writeable], value: Bytes = [],
        onRead: ReadHandler? = nil, onWrite: WriteHandler? = nil
    ) {
        self.uuid = uuid
        self.permissions = permissions
        self.onRead = onRead
        self.onWrite = onWrite
        facts = Locked(AttributeFacts(value: value))
    }

    /// The stored value.
    public var value: Bytes { facts.withLock { $0.value } }

    /// Changes the stored value.
    public func setValue(_ value: Bytes) { facts.withLock { $0.value = value } }

    /// The values that were written, oldest first: the latest 65,536 at most.
    public var writes: [VirtualWrite] {
        facts.withLock { facts in (0..<facts.writes.count).map { facts.writes[$0] } }
    }

    /// Answers an operation with an error from now on.
    ///
    /// - Parameters:
    ///   - error: The error that centrals receive; nil restores the normal answers.
    ///   - operation: The operation that fails.
    public func setError(_ error: ATTError?, for operation: VirtualOperation) {
        facts.withLock { $0.errors[operation] = error }
    }

    /// Leaves an operation unanswered from now on, until ``release(_:)``.
    public func hold(_ operation: VirtualOperation) { facts.withLock { _ = $0.held.insert(operation) } }

    /// Answers the held requests for an operation, in order, and stops holding.
    public func release(_ operation: VirtualOperation) { letGo(operation, andHoldOn: false) }

    /// Answers the held requests for an operation, in order, and continues to hold later ones.
    public func answerHeld(_ operation: VirtualOperation) { letGo(operation, andHoldOn: true) }

    /// Returns the number of requests for an operation that are held now.
    public func heldCount(_ operation: VirtualOperation) -> Int { facts.withLock { $0.heldCounts[operation] ?? 0 } }
}

extension VirtualDescriptor: ValueAttribute {
    func readHandler() -> Result<Bytes, ATTError>? { onRead?(self) }

    func writeHandler(_ value: Bytes) -> Result<Void, ATTError>? { onWrite?(self, value) }
}
