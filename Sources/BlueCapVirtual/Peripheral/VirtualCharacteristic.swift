// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// A characteristic of a virtual peripheral: its declaration, and the handle to act on it while it is in the air.
///
/// Handlers run on the radio's executor and must not block. Methods may be called from any thread. On the executor (in
/// handlers and in ``VirtualRadio/run(limit:patience:_:)``) they take effect at once; elsewhere they take effect in the
/// order of the calls, after the executor's queued jobs.
public final class VirtualCharacteristic: Sendable {
    /// A function that returns the value for a read, or the error that refuses it.
    public typealias ReadHandler = @Sendable (VirtualCharacteristic) -> Result<Bytes, ATTError>
    /// A function that accepts a value that was written, or refuses it. An accepted value becomes the characteristic's
    /// value.
    public typealias WriteHandler = @Sendable (VirtualCharacteristic, Bytes) -> Result<Void, ATTError>
    /// A function that accepts a subscription (true) or its end (false), or refuses it. Notifications that it sends go
    /// out before the response.
    public typealias SubscribeHandler = @Sendable (VirtualCharacteristic, Bool) -> Result<Void, ATTError>

    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// The operations that the declaration offers.
    public let properties: CharacteristicProperties
    /// The conditions on which a central may read and write the value.
    public let permissions: AttributePermissions
    /// The length of the longest value that can be written in bytes.
    public let maximumLength: Int
    /// The descriptors, without the client configuration, which exists whenever the characteristic notifies or
    /// indicates.
    public let descriptors: [VirtualDescriptor]

    let facts: Locked<AttributeFacts>
    private let onRead: ReadHandler?
    private let onWrite: WriteHandler?
    private let onSubscribe: SubscribeHandler?

    /// Creates a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - properties: The operations that its declaration offers.
    ///   - permissions: The conditions on which a central may read and write it; nil derives them from the properties.
    ///   - value: The value at the start.
    ///   - maximumLength: The length of the longest value that can be written in bytes, brought into 0 to 512. Longer
    ///     values are refused with 0x0D.
    ///   - descriptors: The descriptors, without the client configuration.
    ///   - onRead: Returns the value of each read; nil returns the stored value.
    ///   - onWrite: Accepts or refuses each value that is written; nil accepts all.
    ///   - onSubscribe: Accepts or refuses each subscription; nil accepts all.
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

    /// Creates the characteristic that a type declares, with a value of the type.
    ///
    /// ```swift
    /// VirtualCharacteristic(HeartRateService.BodySensorLocation.wrist)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value at the start.
    ///   - onRead: Returns the value of each read; nil returns the stored value.
    ///   - onWrite: Accepts or refuses each value that is written; nil accepts all.
    ///   - onSubscribe: Accepts or refuses each subscription; nil accepts all.
    public convenience init<Value: ByteEncodable & CharacteristicConfigurable>(
        _ value: Value, onRead: ReadHandler? = nil, onWrite: WriteHandler? = nil, onSubscribe: SubscribeHandler? = nil
    ) {
        self.init(
            Value.uuid, properties: Value.properties, permissions: Value.permissions, value: SerDe.serialize(value),
            onRead: onRead, onWrite: onWrite, onSubscribe: onSubscribe)
    }

    // MARK: Values

    /// The stored value.
    public var value: Bytes { facts.withLock { $0.value } }

    /// Changes the stored value without a notification or indication.
    public func setValue(_ value: Bytes) { facts.withLock { $0.value = value } }

    /// Changes the stored value to an encoded one, without a notification or indication.
    @_disfavoredOverload
    public func setValue(_ value: some ByteEncodable) { setValue(SerDe.serialize(value)) }

    /// Changes the stored value to an array's bytes, without a notification or indication.
    public func setValue(_ value: [UInt8]) { setValue(Bytes(value)) }

    /// Changes the stored value to an encoded one and sends it to every subscribed central.
    @_disfavoredOverload
    public func update(_ value: some ByteEncodable) { update(SerDe.serialize(value)) }

    /// Changes the stored value to an array's bytes and sends it to every subscribed central.
    public func update(_ value: [UInt8]) { update(Bytes(value)) }

    /// Changes the stored value and sends it to every subscribed central, as a notification or as an indication, as the
    /// central subscribed.
    public func update(_ value: Bytes) {
        setValue(value)
        owner?.perform { $0.send([value], of: self, as: [.notify, .indicate]) }
    }

    /// Sends a notification to every central that has subscribed to notifications. No value is dropped: values wait for
    /// the link's connection events, ``VirtualConnection/packetsPerEvent`` at each.
    public func notify(_ value: Bytes) { notify([value]) }

    /// Sends a notification with an encoded value to every central that has subscribed to notifications; the stored
    /// value stays.
    @_disfavoredOverload
    public func notify(_ value: some ByteEncodable) { notify(SerDe.serialize(value)) }

    /// Sends a notification with an array's bytes to every central that has subscribed to notifications; the stored
    /// value stays.
    public func notify(_ value: [UInt8]) { notify(Bytes(value)) }

    /// Sends several notifications, one after another, to every central that has subscribed to notifications.
    public func notify(_ values: [Bytes]) { owner?.perform { $0.send(values, of: self, as: .notify) } }

    /// Sends several notifications, and returns when the links have sent them, or when the task is cancelled.
    ///
    /// - Returns: Whether all of them were sent; false if a link ended before, and in a cancelled task.
    @discardableResult
    public func notifyAndFlush(_ values: [Bytes]) async -> Bool {
        await answer(or: false) { node, finished in
            node.send(values, of: self, as: .notify)
            node.flush(self, finished)
        }
    }

    /// Returns the radio's answer, or `none` where no radio has the characteristic, and for a task that is cancelled.
    private func answer<Answer: Sendable>(
        or none: Answer, _ ask: @escaping @Sendable (PeripheralNode, @escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer {
        guard let owner else { return none }
        let box = Mailbox<Answer, Never>(capacity: .newest(1))
        owner.perform { ask($0) { _ = box.push($0) } }
        return await box.next() ?? none
    }

    /// Calls `body` on the radio's executor when `delay` has passed on the radio's clock; never where it is in no
    /// peripheral's database.
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        owner?.perform { $0.ether.timeline.schedule(after: delay, body) }
    }

    /// Sends an indication to every central that has subscribed to indications, and returns when each has confirmed it
    /// or lost its link, or when the task is cancelled.
    ///
    /// - Returns: The number of centrals that confirmed it; 0 in a cancelled task.
    @discardableResult
    public func indicate(_ value: Bytes) async -> Int {
        await answer(or: 0) { $0.indicate(value, of: self, $1) }
    }

    /// Sends an indication with an encoded value, as ``indicate(_:)-(Bytes)``; the stored value stays.
    ///
    /// - Returns: The number of centrals that confirmed it; 0 in a cancelled task.
    @discardableResult @_disfavoredOverload
    public func indicate(_ value: some ByteEncodable) async -> Int { await indicate(SerDe.serialize(value)) }

    /// Sends an indication with an array's bytes, as ``indicate(_:)-(Bytes)``; the stored value stays.
    ///
    /// - Returns: The number of centrals that confirmed it; 0 in a cancelled task.
    @discardableResult
    public func indicate(_ value: [UInt8]) async -> Int { await indicate(Bytes(value)) }

    // MARK: Integers and literals without a size

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func setValue(_ value: Int) {}

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func update(_ value: Int) {}

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func notify(_ value: Int) {}

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func indicate(_ value: Int) async -> Int { 0 }

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func setValue(_ value: some Sequence<UInt8>) {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func update(_ value: some Sequence<UInt8>) {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func notify(_ value: some Sequence<UInt8>) {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func indicate(_ value: some Sequence<UInt8>) async -> Int { 0 }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func setValue(_ value: UntypedLiteral) { setValue(value.bytes) }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func update(_ value: UntypedLiteral) { update(value.bytes) }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func notify(_ value: UntypedLiteral) { notify(value.bytes) }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    @discardableResult
    public func indicate(_ value: UntypedLiteral) async -> Int { await indicate(value.bytes) }

    // MARK: Accesses of centrals

    /// The values that were written, oldest first: the latest 65,536 at most.
    public var writes: [VirtualWrite] {
        facts.withLock { facts in (0..<facts.writes.count).map { facts.writes[$0] } }
    }

    /// The number of centrals that are subscribed.
    public var subscriptionCount: Int { facts.withLock { $0.subscriptions } }

    /// The number of subscriptions since the start, ended ones included.
    public var totalSubscriptionCount: Int { facts.withLock { $0.totalSubscriptions } }

    // MARK: Faults

    /// Answers an operation with an error from now on.
    ///
    /// - Parameters:
    ///   - error: The error that centrals receive; nil restores the normal answers.
    ///   - operation: The operation that fails.
    public func setError(_ error: ATTError?, for operation: VirtualOperation) {
        facts.withLock { $0.errors[operation] = error }
    }

    /// Leaves an operation unanswered from now on, until ``release(_:)``.
    ///
    /// A link has one request in flight: while one is held, the others of the same link wait behind it; and a link
    /// whose request stays unanswered for 30 seconds ends.
    public func hold(_ operation: VirtualOperation) { facts.withLock { _ = $0.held.insert(operation) } }

    /// Answers the held requests for an operation, in order, and stops holding.
    public func release(_ operation: VirtualOperation) { letGo(operation, andHoldOn: false) }

    /// Answers the held requests for an operation, in order, and continues to hold later ones.
    public func answerHeld(_ operation: VirtualOperation) { letGo(operation, andHoldOn: true) }

    /// Returns the number of requests for an operation that are held now.
    public func heldCount(_ operation: VirtualOperation) -> Int { facts.withLock { $0.heldCounts[operation] ?? 0 } }

    /// Sends values during the handling of each subscription from now on, before its response. An empty array ends
    /// that.
    public func sendOnSubscription(_ values: [Bytes]) { facts.withLock { $0.valuesOnSubscription = values } }

    private var owner: Confined<PeripheralNode>? { facts.withLock { $0.owner } }
}

extension VirtualCharacteristic: ValueAttribute {
    func readHandler() -> Result<Bytes, ATTError>? { onRead?(self) }

    func writeHandler(_ value: Bytes) -> Result<Void, ATTError>? { onWrite?(self, value) }

    func subscribeHandler(_ isOn: Bool) -> Result<Void, ATTError>? { onSubscribe?(self, isOn) }
}

extension CharacteristicProperties {
    /// Permissions that let centrals perform the operations of the properties.
    fileprivate var usualPermissions: AttributePermissions {
        var permissions: AttributePermissions = []
        if contains(.read) { permissions.insert(.readable) }
        if !isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites]) {
            permissions.insert(.writeable)
        }
        return permissions
    }
}
