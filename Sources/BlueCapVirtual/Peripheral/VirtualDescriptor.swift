// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// A descriptor of a virtual characteristic, other than the client configuration.
public final class VirtualDescriptor: Sendable {
    /// Gives the value that a read returns, or refuses.
    public typealias ReadHandler = @Sendable (VirtualDescriptor) -> Result<Bytes, ATTError>
    /// Takes a value that was written, or refuses; the value becomes the descriptor's when it is taken.
    public typealias WriteHandler = @Sendable (VirtualDescriptor, Bytes) -> Result<Void, ATTError>

    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// Who may read and write it.
    public let permissions: AttributePermissions

    let facts: Locked<AttributeFacts>
    private let onRead: ReadHandler?
    private let onWrite: WriteHandler?

    /// Creates a descriptor.
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

    /// What was written, oldest first: the latest 65,536 at most.
    public var writes: [VirtualWrite] {
        facts.withLock { facts in (0..<facts.writes.count).map { facts.writes[$0] } }
    }

    /// Answers an operation with an error from now on; nil ends it.
    public func setError(_ error: ATTError?, for operation: VirtualOperation) {
        facts.withLock { $0.errors[operation] = error }
    }

    /// Leaves an operation unanswered from now on, until ``release(_:)``.
    public func hold(_ operation: VirtualOperation) { facts.withLock { _ = $0.held.insert(operation) } }

    /// Answers what was held of an operation, in order, and holds no more.
    public func release(_ operation: VirtualOperation) { letGo(operation, andHoldOn: false) }

    /// Answers what is held of an operation now, in order, and goes on to hold what comes.
    public func answerHeld(_ operation: VirtualOperation) { letGo(operation, andHoldOn: true) }

    /// How many requests for an operation are held now.
    public func heldCount(_ operation: VirtualOperation) -> Int { facts.withLock { $0.heldCounts[operation] ?? 0 } }
}

extension VirtualDescriptor: ValueAttribute {
    func readHandler() -> Result<Bytes, ATTError>? { onRead?(self) }

    func writeHandler(_ value: Bytes) -> Result<Void, ATTError>? { onWrite?(self, value) }
}
