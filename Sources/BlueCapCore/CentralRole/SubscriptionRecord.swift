// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// Who listens to one characteristic, and the callers that wait for its notifications; touched on the manager only.
///
/// Listeners are registered before notifications are switched on, so that the first value finds them; the last one to
/// leave has them switched off. A hold (``Characteristic/startNotifying(transport:timeout:)``) counts as a listener.
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
    /// Where notifications stand, and who holds them on.
    var machine = SubscriptionMachine()
    var listeners: OrderedTable<UInt64, Listener> = [:] { didSet { boxes = listeners.values.map(\.box) } }
    /// Those of the listeners, into which each value goes.
    private(set) var boxes: [Box] = []
    /// What came for the app, which had this subscription restored and does not listen yet; nil when it is not
    /// restored, and from the first listener on. Counts as a listener.
    var held: HeldValues?
    var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// The requests to the characteristic, where it is a control point; counts as a listener.
    var controlPoint: ControlPointRecord?

    init(_ characteristic: Characteristic) { self.characteristic = characteristic }

    /// The manager was released: nothing comes any more.
    deinit {
        for listener in listeners.values { listener.box.finish(.invalidated) }
        for waiter in waiters.values { waiter.resume(.invalidated) }
    }

    /// Whether somebody listens, or is to.
    var hasListeners: Bool { !listeners.isEmpty || held != nil || controlPoint?.isWanted == true }

    /// Whether anybody wants notifications on.
    var isWanted: Bool { hasListeners || machine.holdCount > 0 }

    /// Whether a program that comes after this one is to have notifications on again: requests are not taken over.
    var isRestorable: Bool { !listeners.isEmpty || held != nil || machine.holdCount > 0 }
}
