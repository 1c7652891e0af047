// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The listeners to one characteristic, and the callers that wait for its notifications; used on the manager only.
///
/// Listeners are registered before notifications are switched on, so that they receive the first value. Notifications
/// are switched off when the last listener leaves. A hold (``Characteristic/startNotifying(transport:timeout:)``)
/// counts as a listener.
final class SubscriptionRecord {
    typealias Box = Mailbox<Bytes, CharacteristicError>

    struct Listener {
        let box: Box
        let onDisconnect: DisconnectPolicy
    }

    /// A caller that waits until notifications are on, or off.
    struct Waiter {
        let wantsOn: Bool
        var deadline: DeadlineToken?
        let resume: (CharacteristicError?) -> Void
    }

    /// The characteristic; another object takes its place when a new discovery finds it again after a reconnection.
    var characteristic: Characteristic
    /// The state of notifications, and the calls that hold them on.
    var machine = SubscriptionMachine()
    private(set) var listeners: OrderedTable<UInt64, Listener> = [:] {
        didSet { boxes = listeners.values.map(\.box) }
    }
    /// The boxes of the listeners, which receive each value.
    private var boxes: [Box] = []
    /// The values that arrived for a restored subscription to which the app does not listen yet; nil if the
    /// subscription is not restored, and from the first listener on. Counts as a listener.
    private var held: HeldValues?
    private var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// The requests to the characteristic if it is a control point; counts as a listener.
    private(set) var controlPoint: ControlPointRecord?

    init(_ characteristic: Characteristic) { self.characteristic = characteristic }

    /// Creates the subscription of an earlier program, which holds values until the app listens.
    init(restored characteristic: Characteristic, over transport: NotificationTransport) {
        self.characteristic = characteristic
        machine.choose(transport)
        held = HeldValues()
    }

    /// The manager was released, so listeners and waiting callers end.
    deinit {
        for listener in listeners.values { listener.box.finish(.invalidated) }
        for waiter in waiters.values { waiter.resume(.invalidated) }
    }

    /// A Boolean value that is true if there are listeners, held values, or requests to the control point.
    var hasListeners: Bool { !listeners.isEmpty || held != nil || controlPoint?.isWanted == true }

    /// A Boolean value that is true if a listener or a call wants notifications on.
    var isWanted: Bool { hasListeners || machine.holdCount > 0 }

    /// A Boolean value that is true if the next run of the program has to switch notifications on again. Requests to a
    /// control point are not restored.
    var isRestorable: Bool { !listeners.isEmpty || held != nil || machine.holdCount > 0 }

    /// The number of callers that wait until notifications are on, or off.
    var waiterCount: Int { waiters.count }

    // MARK: Listeners

    /// A listener joins; the first one gets the values that were held for it.
    func add(_ listener: Listener, _ number: UInt64) {
        listeners[number] = listener
        guard let dropped = held?.move(to: listener.box) else { return }
        held = nil
        characteristic.facts.withLock { $0.droppedCount += dropped }
    }

    /// A listener leaves.
    ///
    /// - Returns: Whether it was there.
    func remove(_ number: UInt64) -> Bool {
        guard let listener = listeners.removeValue(forKey: number) else { return false }
        listener.box.finish()
        return true
    }

    /// Ends the listeners that are meant, with their requests to the control point.
    func endListeners(
        _ error: CharacteristicError?, _ owner: isolated some CentralOwner, where isMeant: (DisconnectPolicy) -> Bool
    ) {
        let ended = listeners.filter { isMeant($0.value.onDisconnect) }
        for (number, _) in ended { listeners[number] = nil }
        for (_, listener) in ended { listener.box.finish(error) }
        controlPoint?.end(error, owner, where: isMeant)
    }

    /// The requests to the characteristic, which is a control point.
    func openControlPoint(of peripheral: PeerIdentifier) -> ControlPointRecord {
        if let controlPoint { return controlPoint }
        let made = ControlPointRecord(peripheral, characteristic.id)
        controlPoint = made
        return made
    }

    // MARK: Values

    /// Hands a value to those who listen.
    ///
    /// - Returns: Whether it has a taker: a listener whose sequence has not ended, one to come for which it is held, or
    ///   an app that has switched notifications on to follow ``Characteristic/value``.
    func deliver(_ value: Bytes, of characteristic: Characteristic, _ owner: isolated some CentralOwner) -> Bool {
        var hasTaker = machine.holdCount > 0
        var dropped = 0
        for box in boxes {
            let addition = box.add(value)
            if !addition.isRefused { hasTaker = true }
            dropped += addition.droppedCount
            if addition.needsWake { owner.deliveries.wakeSoon(box, owner) }
        }
        if held != nil {
            hasTaker = true
            dropped += held?.push(value) ?? 0
        }
        if let controlPoint, controlPoint.received(value, of: self, owner) { hasTaker = true }
        if dropped > 0 {
            owner.meter.dropped(.value, dropped)
            characteristic.facts.withLock { $0.droppedCount += dropped }
        }
        return hasTaker
    }

    /// Values are lost on their way to the listeners.
    func countDropped(_ count: Int) {
        for listener in listeners.values { listener.box.countDropped(count) }
        held?.countDropped(count)
    }

    /// Discards the values that a restored subscription held.
    func discardHeld(_ owner: isolated some CentralOwner) {
        guard let held = held.take() else { return }
        owner.countUnclaimed(held.values.count)
    }

    // MARK: Callers

    func add(_ waiter: Waiter, _ number: UInt64) { waiters[number] = waiter }

    /// Answers a caller; does nothing if it was answered.
    func resolve(_ number: UInt64, _ error: CharacteristicError?, _ owner: isolated some CentralOwner) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(error)
    }

    func resolve(
        _ callers: SubscriptionMachine.Callers, _ error: CharacteristicError?, _ owner: isolated some CentralOwner
    ) {
        let numbers = waiters.filter { callers.contains(thatWantsOn: $0.value.wantsOn) }.keys.sorted()
        for number in numbers { resolve(number, error, owner) }
    }
}

/// Values of a restored subscription that nobody listens to yet: the newest ones, the others counted.
struct HeldValues {
    private static let limit = 1024

    private(set) var values = RingBuffer<Bytes>()
    private(set) var droppedCount = 0

    /// - Returns: How many values were dropped for it: 0 or 1.
    mutating func push(_ value: Bytes) -> Int {
        values.append(value)
        if values.count <= Self.limit { return 0 }
        _ = values.popFirst()
        droppedCount += 1
        return 1
    }

    mutating func countDropped(_ count: Int) { droppedCount += count }

    /// Hands the values to the first listener.
    ///
    /// - Returns: How many it had no room for.
    mutating func move(to box: SubscriptionRecord.Box) -> Int {
        box.countDropped(droppedCount)
        var dropped = 0
        while let value = values.popFirst() { dropped += box.push(value) }
        return dropped
    }
}
