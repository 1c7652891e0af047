// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A response that is sent after the values that the app has reported before it by other characteristics of the
/// service.
struct HeldResponse: Sendable {
    /// The updates that are sent first: another characteristic, and the number of updates that have then left its
    /// queue.
    private struct Ahead: Sendable {
        let characteristic: MutableCharacteristic
        let endedCount: Int

        var isGone: Bool {
            characteristic.facts.withLock { facts in
                facts.subscribers.isEmpty || !facts.queue.isMoving || facts.queue.endedCount >= endedCount
            }
        }
    }

    let characteristic: MutableCharacteristic
    private let value: Bytes
    private let ticket: ProcedureTicket
    private let ahead: [Ahead]

    init(_ value: Bytes, of characteristic: MutableCharacteristic, for ticket: ProcedureTicket) {
        (self.value, self.characteristic, self.ticket) = (value, characteristic, ticket)
        let others = characteristic.service?.characteristics.filter { $0 !== characteristic } ?? []
        ahead = others.compactMap { other in
            let endedCount: Int? = other.facts.withLock { facts in
                let hasNone = facts.subscribers.isEmpty || !facts.queue.isMoving
                return hasNone ? nil : facts.queue.endedCount + facts.queue.pendingCount
            }
            return endedCount.map { Ahead(characteristic: other, endedCount: $0) }
        }
    }

    /// A Boolean value that is false if the procedure was aborted, or its central has left, before its response had its
    /// turn.
    var isWanted: Bool { ticket.isUnderWay }

    /// The response will not be sent.
    func drop() { ticket.end() }

    /// A Boolean value that is true if no update has to be sent before the response.
    var isDue: Bool { ahead.allSatisfy(\.isGone) }

    /// Indicates the response to the central that requested, or to all subscribers if the platform does not distinguish
    /// them.
    func send() {
        ticket.end()
        let isAggregate = characteristic.subscribers.contains(where: \.isAggregate)
        // It fails only if the manager has ended.
        try? characteristic.enqueue(value, for: isAggregate ? nil : ticket.central, isResponse: true)
    }
}

extension MutableCharacteristic {
    /// Sends the response of a procedure in its turn, which ends the procedure.
    ///
    /// - Returns: True if the central listens.
    @discardableResult
    func indicate(_ response: Bytes, for ticket: ProcedureTicket) -> Bool {
        // A central that is renamed meanwhile has its new identifier in the ticket before it has it as a subscriber.
        guard let manager = registration?.manager, hasSubscriber(ticket.central) || hasSubscriber(ticket.central) else {
            ticket.end()
            return false
        }
        let held = HeldResponse(response, of: self, for: ticket)
        manager.later { $0.updates.respond(held) }
        return true
    }

    /// A Boolean value that is true if a response of a control point waits in the queue.
    var hasWaitingResponse: Bool { facts.withLock { $0.queue.hasWaitingResponse } }

    /// Returns a Boolean value that is true if a central listens, or if any central listens and the platform does not
    /// distinguish them.
    func hasSubscriber(_ central: PeerIdentifier?) -> Bool {
        let subscribers = subscribers
        guard let central, !subscribers.contains(where: \.isAggregate) else { return !subscribers.isEmpty }
        return subscribers.contains { $0.identifier == central }
    }
}
