// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Sending new values to subscribers.
extension MutableCharacteristic {
    /// Sets the value and sends it to all subscribers.
    ///
    /// The method returns immediately and may be called from any thread. Values are sent one at a time in the order of
    /// the calls, an indication after the previous indication was confirmed. While no central is subscribed, or the
    /// transport is busy, they wait (see ``updatePolicy``). An indication whose link ends before it was confirmed is
    /// sent again to the next subscriber: a central that already has it receives it twice. A notification carries at
    /// most ``Central/maximumUpdateLength`` bytes; the platform cuts the rest, which a central can read, and such an
    /// update is counted in ``cutUpdateCount``.
    ///
    /// Before the service is added, and after it was removed, the value is set as well, and waits for a subscriber.
    ///
    /// - Throws: `.notifyNotSupported`, `.valueTooLong`, `.invalidated` if the manager that had the service has ended.
    ///   The value is then not set.
    public func update(_ value: Bytes) throws(MutableCharacteristicError) { try enqueue(value, for: nil) }

    /// Sets the value to an encoded value and sends it to all subscribers, as ``update(_:)-(Bytes)``.
    ///
    /// - Throws: As ``update(_:)-(Bytes)``.
    @_disfavoredOverload
    public func update(_ value: some ByteEncodable) throws(MutableCharacteristicError) {
        try enqueue(SerDe.serialize(value), for: nil)
    }

    /// Sets the value to an array's bytes and sends it to all subscribers, as ``update(_:)-(Bytes)``.
    ///
    /// With this overload an array literal of numbers stands for bytes.
    ///
    /// - Throws: As ``update(_:)-(Bytes)``.
    public func update(_ value: [UInt8]) throws(MutableCharacteristicError) { try enqueue(Bytes(value), for: nil) }

    /// Not available, because `Int` has no fixed size on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func update(_ value: Int) {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func update(_ value: some Sequence<UInt8>) {}

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func update(_ value: UntypedLiteral) throws(MutableCharacteristicError) { try update(value.bytes) }

    /// Sends a value to one subscriber, in its place among the other updates.
    ///
    /// ``value``, which other centrals read, does not change. If the central is not subscribed, or leaves before the
    /// value's turn, the value is counted as dropped, in ``droppedCount``: a central may leave at any time.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 bytes, of which the platform sends ``Central/maximumUpdateLength``.
    ///   - central: A subscriber with an identifier, from ``subscribers``.
    /// - Throws: As ``update(_:)-(Bytes)``, and `.unsupported` if the platform does not distinguish subscribers.
    public func update(_ value: Bytes, for central: Central) throws(MutableCharacteristicError) {
        guard let identifier = central.identifier else { throw .unsupported }
        try enqueue(value, for: identifier)
    }

    /// Sends an encoded value to one subscriber, as ``update(_:for:)-(Bytes,_)``.
    ///
    /// - Parameters:
    ///   - value: A value whose encoding has at most 512 bytes.
    ///   - central: A subscriber with an identifier, from ``subscribers``.
    /// - Throws: As ``update(_:for:)-(Bytes,_)``.
    @_disfavoredOverload
    public func update(_ value: some ByteEncodable, for central: Central) throws(MutableCharacteristicError) {
        try update(SerDe.serialize(value), for: central)
    }

    /// Sends an array's bytes to one subscriber, as ``update(_:for:)-(Bytes,_)``.
    ///
    /// - Parameters:
    ///   - value: At most 512 bytes.
    ///   - central: A subscriber with an identifier, from ``subscribers``.
    /// - Throws: As ``update(_:for:)-(Bytes,_)``.
    public func update(_ value: [UInt8], for central: Central) throws(MutableCharacteristicError) {
        try update(Bytes(value), for: central)
    }

    /// Not available, because `Int` has no fixed size on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func update(_ value: Int, for central: Central) {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func update(_ value: some Sequence<UInt8>, for central: Central) {}

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func update(_ value: UntypedLiteral, for central: Central) throws(MutableCharacteristicError) {
        try update(value.bytes, for: central)
    }

    /// The policy for updates made while no central is subscribed.
    ///
    /// By default only the newest update waits for the first subscriber, as older ones would look like new ones; for a
    /// characteristic that only indicates, the newest 1024 updates. While a central is subscribed and the transport is
    /// busy, at most ``PeripheralManager/Configuration/maximumPendingUpdates`` updates wait, or any number with
    /// ``UpdatePolicy/all``.
    public var updatePolicy: UpdatePolicy {
        get { facts.withLock { $0.updatePolicy } }
        set {
            facts.withLock { facts in
                facts.updatePolicy = newValue
                if facts.subscribers.isEmpty { facts.queue.trim(to: newValue.limit) }
            }
            if let manager = registration?.manager { meterDrops(manager.meter) }
        }
    }

    /// A Boolean value that is true if updates are sent as they are made: a central is subscribed and no update waits.
    public var isUpdating: Bool { facts.withLock { !$0.subscribers.isEmpty && $0.queue.isEmpty } }

    /// The values of the updates that wait for a subscriber or for the transport, oldest first.
    public var pendingUpdates: [Bytes] { facts.withLock { $0.queue.values } }

    /// The number of updates that were not sent: dropped by ``updatePolicy``, because there was no room, because the
    /// central had left, because the service was removed, or because the platform refused them.
    public var droppedCount: Int { facts.withLock { $0.queue.droppedCount } }

    /// The number of updates that were longer than ``Central/maximumUpdateLength`` of a subscriber, which received only
    /// their first bytes.
    ///
    /// The first one is logged as well. Subscribers whose length the platform does not report are not counted.
    public var cutUpdateCount: Int { facts.withLock { $0.cutUpdateCount } }

    /// Sends an update as soon as earlier updates are sent.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - central: The subscriber that receives the update; nil for all.
    ///   - isResponse: A Boolean value that is true if the update answers a request. It is then sent only to present
    ///     subscribers and never kept for a later subscriber.
    func enqueue(
        _ value: Bytes, for central: PeerIdentifier?, isResponse: Bool = false
    ) throws(MutableCharacteristicError) {
        if !canNotify { throw .notifyNotSupported }
        if value.count > maximumAttributeLength {
            throw .valueTooLong(count: value.count, maximum: maximumAttributeLength)
        }
        // The manager is retained and released outside the lock, because its deinitializer may take the lock.
        let manager = registration?.manager
        if central != nil, manager?.backend.features.contains(.individualSubscribers) == false { throw .unsupported }
        let waking: AttributeID? = try facts.withLock { facts throws(MutableCharacteristicError) in
            if facts.hasManagerEnded || facts.registration != nil && manager == nil { throw .invalidated }
            let isIdle = facts.subscribers.isEmpty
            if let central {
                if !facts.subscribers.contains(where: { $0.identifier == central }) {
                    facts.queue.dropUnqueued()
                    return nil
                }
            } else if isResponse, isIdle {
                facts.queue.dropUnqueued()
                return nil
            } else {
                facts.value = value
            }
            let busyLimit = facts.updatePolicy == .all ? nil : manager?.maximumPendingUpdates
            let limit = isIdle ? facts.updatePolicy.limit : busyLimit
            facts.queue.append(.init(value: value, central: central, isResponse: isResponse), limit: limit)
            return !isIdle && facts.queue.expectTaker() ? facts.registration?.id : nil
        }
        guard let manager else { return }
        meterDrops(manager.meter)
        if let waking { manager.later { $0.updates.flush(waking, $0) } }
    }

    /// Counts the updates that were dropped since the last call.
    func meterDrops(_ meter: RadioMeter) {
        #if Metrics
        meter.dropped(.update, facts.withLock { $0.queue.takeUnmeteredCount() })
        #endif
    }
}
