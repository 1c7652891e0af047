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
        var deadline: CentralManager.Deadlines.Token?
        let resume: (CharacteristicError?) -> Void
    }

    /// The characteristic; another object takes its place when a new discovery finds it again after a reconnection.
    var characteristic: Characteristic
    /// The state of notifications, and the calls that hold them on.
    var machine = SubscriptionMachine()
    var listeners: OrderedTable<UInt64, Listener> = [:] { didSet { boxes = listeners.values.map(\.box) } }
    /// The boxes of the listeners, which receive each value.
    private(set) var boxes: [Box] = []
    /// The values that arrived for a restored subscription to which the app does not listen yet; nil if the
    /// subscription is not restored, and from the first listener on. Counts as a listener.
    var held: HeldValues?
    var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// The requests to the characteristic if it is a control point; counts as a listener.
    var controlPoint: ControlPointRecord?

    init(_ characteristic: Characteristic) { self.characteristic = characteristic }

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
