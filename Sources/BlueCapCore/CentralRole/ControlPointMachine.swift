// SPDX-License-Identifier: MIT

/// The state machine of the requests to one control point, which are sent one at a time in the order of the calls.
///
/// A written request stays current until its response arrives, even if its caller no longer waits. It ends with its
/// response, an ATT error, the time limit that the specifications set for a procedure, or the link. If the control
/// point has a request that ends a procedure, that request replaces a request whose caller gave up or whose time is
/// over.
///
/// A late response is never mistaken for the response to another request: while the response to an earlier request with
/// its op code may still come over the link, a request is current without being written.
///
/// A machine is a value that knows neither the backend nor the time. Each method takes an event and returns the actions
/// for it, in their order.
struct ControlPointMachine: Sendable {
    /// An action for the manager to carry out.
    enum Action: Sendable, Equatable {
        /// The request goes to the peripheral.
        case write(UInt64)
        /// The request that ends the procedure goes to the peripheral.
        case abort(UInt64)
        /// The caller of the request is answered with the value or the error that has just come, if it still waits.
        case answer(UInt64)
        /// The request is complete and its record is removed.
        case forget(UInt64)
        /// The response to the request may still come, and nobody waits for it.
        case expectLate(UInt64)
        /// The same of the response to the request that ends the procedure.
        case expectLateAbort(UInt64)
        /// The time of the procedure begins.
        case startTime
        /// The time of the procedure ends.
        case stopTime
    }

    struct Current: Sendable, Equatable {
        let number: UInt64
        fileprivate(set) var stage: Stage

        /// A Boolean value that is true if the expected response belongs to the request that ends the procedure.
        var isAborting: Bool { stage == .aborting || stage == .abortingAnswered }
    }

    enum Stage: String, Sendable {
        /// It is not written, because a late response would be taken for the response to it.
        case held
        case written
        case aborting
        /// It is being aborted, and its own response has come meanwhile.
        case abortingAnswered = "aborting answered"
    }

    private(set) var current: Current?
    /// The requests that wait for their turn, in order.
    private(set) var waiting: [UInt64] = []

    /// Adds a request to the waiting requests.
    mutating func add(_ number: UInt64) { waiting.append(number) }

    /// The next request becomes current, if notifications are on and there is no current request.
    ///
    /// - Parameter isHeld: Whether a late response may come that would be taken for the response to a request.
    mutating func advance(isHeld: (UInt64) -> Bool) -> [Action] {
        guard current == nil, let number = waiting.first else { return [] }
        waiting.removeFirst()
        if isHeld(number) {
            current = Current(number: number, stage: .held)
            return [.startTime]
        }
        current = Current(number: number, stage: .written)
        return [.startTime, .write(number)]
    }

    /// The late response has come for which the current request is held.
    mutating func released() -> [Action] {
        guard let current, current.stage == .held else { return [] }
        self.current?.stage = .written
        return [.startTime, .write(current.number)]
    }

    /// The expected response has come: to the current request, or to the one that ends its procedure.
    mutating func responded() -> [Action] { current?.stage == .held ? [] : free() }

    /// The response to the current request has come while it is being aborted.
    mutating func respondedWhileAborting() -> [Action] {
        if current?.stage == .aborting { current?.stage = .abortingAnswered }
        return []
    }

    /// The peripheral, or the link, has refused the write of a request.
    mutating func refused(_ number: UInt64, isAbort: Bool) -> [Action] {
        guard let current, current.number == number else { return [] }
        switch (current.stage, isAbort) {
        case (.written, false), (.abortingAnswered, true): return free()
        case (.aborting, true): return [.expectLate(number)] + free()
        case (.aborting, false): return respondedWhileAborting()
        case (.held, _), (.written, true), (.abortingAnswered, false): return []
        }
    }

    /// The time limit that the specifications set for a procedure has passed.
    mutating func timePassed(canAbort: Bool) -> [Action] {
        guard let current else { return [] }
        return canAbort && current.stage == .written ? abort(current.number) : expectLate() + free()
    }

    /// The caller of a request no longer waits.
    mutating func left(_ number: UInt64, canAbort: Bool) -> [Action] {
        if let index = waiting.firstIndex(of: number) {
            waiting.remove(at: index)
            return [.answer(number), .forget(number)]
        }
        guard let current, current.number == number else { return [] }
        switch current.stage {
        case .held: return free()
        case .written: return canAbort ? abort(number) : [.answer(number)]
        case .aborting, .abortingAnswered: return []
        }
    }

    private mutating func abort(_ number: UInt64) -> [Action] {
        current?.stage = .aborting
        return [.answer(number), .startTime, .abort(number)]
    }

    /// Notifications have ended: the current request ends, and so do the waiting requests that do not wait for the next
    /// connection.
    mutating func ended(where isEnded: (UInt64) -> Bool) -> [Action] {
        let ended = waiting.filter(isEnded)
        waiting.removeAll(where: isEnded)
        return endCurrent(isEnded) + ended.flatMap { [.answer($0), .forget($0)] }
    }

    private mutating func endCurrent(_ isEnded: (UInt64) -> Bool) -> [Action] {
        guard let current, current.stage == .held, !isEnded(current.number) else { return expectLate() + free() }
        waiting.insert(current.number, at: 0)
        self.current = nil
        return [.stopTime]
    }

    /// The responses that may still come once the current request has ended.
    private func expectLate() -> [Action] {
        guard let current else { return [] }
        return switch current.stage {
        case .held: []
        case .written: [.expectLate(current.number)]
        case .aborting: [.expectLate(current.number), .expectLateAbort(current.number)]
        case .abortingAnswered: [.expectLateAbort(current.number)]
        }
    }

    private mutating func free() -> [Action] {
        guard let number = current?.number else { return [] }
        current = nil
        return [.stopTime, .answer(number), .forget(number)]
    }
}

extension ControlPointMachine: CustomStringConvertible {
    /// The state of the current request, and the number of waiting requests.
    var description: String {
        let place = current?.stage.rawValue ?? "free"
        return waiting.isEmpty ? place : "\(place) waiting \(waiting.count)"
    }
}
