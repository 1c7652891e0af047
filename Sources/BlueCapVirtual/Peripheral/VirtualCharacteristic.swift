// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// A characteristic of a virtual peripheral: its declaration, and the handle to act on it while it is in the air.
///
/// Handlers run on the radio's executor and must not block. Methods may be called from anywhere; on the executor (in
/// handlers and in ``VirtualRadio/run(limit:patience:_:)``) they take effect at once, elsewhere in their turn.
public final class VirtualCharacteristic: Sendable {
    /// Gives the value that a read returns, or refuses.
    public typealias ReadHandler = @Sendable (VirtualCharacteristic) -> Result<Bytes, ATTError>
    /// Takes a value that was written, or refuses; the value becomes the characteristic's when it is taken.
    public typealias WriteHandler = @Sendable (VirtualCharacteristic, Bytes) -> Result<Void, ATTError>
    /// Takes a subscription (true) or its end (false), or refuses. What it notifies goes out before the response.
    public typealias SubscribeHandler = @Sendable (VirtualCharacteristic, Bool) -> Result<Void, ATTError>

    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// What may be done with it.
    public let properties: CharacteristicProperties
    /// Who may read and write it.
    public let permissions: AttributePermissions
    /// The longest value that can be written.
    public let maximumLength: Int
    /// Its descriptors, without the client configuration, which is there whenever it notifies or indicates.
    public let descriptors: [VirtualDescriptor]

    let facts: Locked<AttributeFacts>
    private let onRead: ReadHandler?
    private let onWrite: WriteHandler?
    private let onSubscribe: SubscribeHandler?

    /// A characteristic.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - properties: What may be done with it.
    ///   - permissions: Who may read and write it; follows from the properties when left out.
    ///   - value: The value at the start.
    ///   - maximumLength: The longest value that can be written; longer ones are refused with 0x0D.
    ///   - descriptors: Its descriptors.
    ///   - onRead: Gives the value of each read; nil gives the stored value.
    ///   - onWrite: Takes each value written; nil takes all.
    ///   - onSubscribe: Takes each subscription; nil takes all.
    public init(
        _ uuid: BluetoothUUID, properties: CharacteristicProperties = [.read],
        permissions: AttributePermissions? = nil, value: Bytes = [], maximumLength: Int = 512,
        descriptors: [VirtualDescriptor] = [], onRead: ReadHandler? = nil, onWrite: WriteHandler? = nil,
        onSubscribe: SubscribeHandler? = nil
    ) {
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions ?? properties.usualPermissions
        self.maximumLength = min(max(maximumLength, 0), 512)
        self.descriptors = descriptors
        self.onRead = onRead
        self.onWrite = onWrite
        self.onSubscribe = onSubscribe
        facts = Locked(AttributeFacts(value: value))
    }

    // MARK: Values

    /// The stored value.
    public var value: Bytes { facts.withLock { $0.value } }

    /// Changes the stored value without telling anybody.
    public func setValue(_ value: Bytes) { facts.withLock { $0.value = value } }

    /// Changes the stored value and sends it to every central that has subscribed, in the way it subscribed.
    public func update(_ value: Bytes) {
        setValue(value)
        owner?.perform { $0.send([value], of: self, as: [.notify, .indicate]) }
    }

    /// Notifies every central that has subscribed to notifications. Nothing is lost: values wait for the link's
    /// connection events, ``VirtualConnection/packetsPerEvent`` at each.
    public func notify(_ value: Bytes) { notify([value]) }

    /// Notifies every central that has subscribed of several values, one after another.
    public func notify(_ values: [Bytes]) { owner?.perform { $0.send(values, of: self, as: .notify) } }

    /// Notifies of several values, and returns when the links have sent them.
    ///
    /// - Returns: Whether all of it was sent; false when a link ended before.
    @discardableResult
    public func notifyAndFlush(_ values: [Bytes]) async -> Bool {
        guard let owner else { return false }
        return await withCheckedContinuation { continuation in
            owner.perform { node in
                node.send(values, of: self, as: .notify)
                node.flush(self) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Calls `body` on the radio's executor when `delay` has passed on the radio's clock; never where it is in no
    /// peripheral's database.
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        owner?.perform { $0.ether.timeline.schedule(after: delay, body) }
    }

    /// Indicates a value to every central that has subscribed to indications, and returns when all have answered.
    ///
    /// - Returns: How many confirmed it.
    @discardableResult
    public func indicate(_ value: Bytes) async -> Int {
        guard let owner else { return 0 }
        return await withCheckedContinuation { continuation in
            owner.perform { $0.indicate(value, of: self) { continuation.resume(returning: $0) } }
        }
    }

    // MARK: What centrals did

    /// What was written, oldest first: the latest 65,536 at most.
    public var writes: [VirtualWrite] {
        facts.withLock { facts in (0..<facts.writes.count).map { facts.writes[$0] } }
    }

    /// How many centrals are subscribed.
    public var subscriptionCount: Int { facts.withLock { $0.subscriptions } }

    /// How many subscriptions there have been, ended ones included.
    public var totalSubscriptionCount: Int { facts.withLock { $0.totalSubscriptions } }

    // MARK: Faults

    /// Answers an operation with an error from now on; nil ends it.
    public func setError(_ error: ATTError?, for operation: VirtualOperation) {
        facts.withLock { $0.errors[operation] = error }
    }

    /// Leaves an operation unanswered from now on, until ``release(_:)``.
    ///
    /// A link has one request in flight: while one is held, the others of the same link wait behind it; and a link
    /// whose request stays unanswered for 30 seconds ends.
    public func hold(_ operation: VirtualOperation) { facts.withLock { _ = $0.held.insert(operation) } }

    /// Answers what was held of an operation, in order, and holds no more.
    public func release(_ operation: VirtualOperation) { letGo(operation, andHoldOn: false) }

    /// Answers what is held of an operation now, in order, and goes on to hold what comes.
    public func answerHeld(_ operation: VirtualOperation) { letGo(operation, andHoldOn: true) }

    /// How many requests for an operation are held now.
    public func heldCount(_ operation: VirtualOperation) -> Int { facts.withLock { $0.heldCounts[operation] ?? 0 } }

    /// Sends values inside the handling of each subscription from now on, before its response; none ends it.
    public func sendOnSubscription(_ values: [Bytes]) { facts.withLock { $0.valuesOnSubscription = values } }

    private var owner: Confined<PeripheralNode>? { facts.withLock { $0.owner } }
}

extension VirtualCharacteristic: ValueAttribute {
    func readHandler() -> Result<Bytes, ATTError>? { onRead?(self) }

    func writeHandler(_ value: Bytes) -> Result<Void, ATTError>? { onWrite?(self, value) }

    func subscribeHandler(_ isOn: Bool) -> Result<Void, ATTError>? { onSubscribe?(self, isOn) }
}

extension CharacteristicProperties {
    /// Permissions that let centrals do what the properties say.
    fileprivate var usualPermissions: AttributePermissions {
        var permissions: AttributePermissions = []
        if contains(.read) { permissions.insert(.readable) }
        if !isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites]) {
            permissions.insert(.writeable)
        }
        return permissions
    }
}
