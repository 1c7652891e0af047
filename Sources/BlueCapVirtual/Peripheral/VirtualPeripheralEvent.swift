// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// An event at a virtual peripheral, as its firmware would see it.
public enum VirtualPeripheralEvent: Sendable, Hashable {
    /// A central connected; the address is that of its adapter.
    case connected(adapter: String)
    /// A connection ended; the address is that of the central's adapter.
    case disconnected(adapter: String)
    /// A central has set the parameters of its connection; the address is that of its adapter.
    case parametersChanged(adapter: String, ConnectionParameters)
    /// An attribute with this UUID was read.
    case read(BluetoothUUID)
    /// An attribute with this UUID was written, and the value was accepted.
    case written(BluetoothUUID, VirtualWrite)
    /// A central subscribed to a characteristic with this UUID.
    case subscribed(BluetoothUUID)
    /// A central ended its subscription to a characteristic with this UUID, or its link ended.
    case unsubscribed(BluetoothUUID)
    /// A request stays unanswered because the operation is held (``VirtualCharacteristic/hold(_:)``).
    case held(BluetoothUUID, VirtualOperation)
    /// A central opened a channel to this PSM.
    case channelOpened(psm: UInt16)
    /// A channel to this PSM ended, from whichever side.
    case channelClosed(psm: UInt16)
    /// A unit arrived over a channel to this PSM.
    case unitReceived(psm: UInt16, Bytes)
}

/// A call that waits until a condition holds.
struct ConditionWaiter {
    let id: UInt64
    let condition: () -> Bool
    let resume: () -> Void
}

extension VirtualPeripheral {
    /// Returns a stream of the events from now on. Every call returns a stream of its own; it ends when it is released
    /// or its task is cancelled.
    public func events(capacity: StreamCapacity = .unbounded) -> AsyncStream<VirtualPeripheralEvent> {
        caster.stream(capacity: capacity)
    }

    /// Returns as soon as a condition holds, at once if it does already. The condition is evaluated again after every
    /// ``VirtualPeripheralEvent``.
    ///
    /// ```swift
    /// try await peripheral.wait { $0.connectionCount == 1 }
    /// ```
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func wait(
        until condition: @escaping @Sendable (VirtualPeripheral) -> Bool
    ) async throws(CancellationError) {
        let ticket = WaitTicket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ticket.arm { continuation.resume() }
                act { [weak self] node in
                    if self.map(condition) ?? true { return ticket.fire() }
                    let id = node.makeNumber()
                    // Weakly, as the node outlives the wait of a task that is cancelled.
                    let isMet = { [weak self] in ticket.isDone || self.map(condition) ?? true }
                    node.waiters.append(ConditionWaiter(id: id, condition: isMet, resume: ticket.fire))
                }
            }
        } onCancel: {
            ticket.fire()
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// Resumes a waiting task once, by its condition or by its cancellation.
private final class WaitTicket: Sendable {
    private struct State {
        var isDone = false
        var resume: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var isDone: Bool { state.withLock { $0.isDone } }

    func arm(_ resume: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.resume = resume }
            return state.isDone
        }
        if isDone { resume() }
    }

    func fire() {
        let resume = state.withLock { state in
            defer { state = State(isDone: true, resume: nil) }
            return state.resume
        }
        resume?()
    }
}

/// An operation of a central on an attribute, for faults that concern one operation.
public enum VirtualOperation: Sendable, Hashable, CaseIterable {
    /// Reading the value.
    case read
    /// Writing the value, with a response.
    case write
    /// Switching notifications or indications on or off.
    case subscribe
}

/// A value that a central wrote to a virtual attribute.
public struct VirtualWrite: Sendable, Hashable {
    /// The bytes that were written.
    public var value: Bytes
    /// A Boolean value that is true if it came as a request, with a response, and false if it came as a command.
    public var wantsResponse: Bool

    /// Creates a record of a write.
    ///
    /// - Parameters:
    ///   - value: The bytes that were written.
    ///   - wantsResponse: Whether it came as a request, with a response, rather than as a command.
    public init(value: Bytes, wantsResponse: Bool) {
        self.value = value
        self.wantsResponse = wantsResponse
    }
}
