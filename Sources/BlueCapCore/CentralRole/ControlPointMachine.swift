// SPDX-License-Identifier: MIT

/// The state machine of the requests to one control point, which are sent one at a time in the order of the calls.
///
/// A written request stays current until its response arrives, even if its caller no longer waits, so that a late
/// response is never mistaken for the response to another request. It ends with its response, an ATT error, the time
/// limit that the specifications set for a procedure, or the link. If the control point has a request that ends a
/// procedure, that request replaces a request whose caller gave up.
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
        /// The time of the procedure begins.
        case startTime
        /// The time of the procedure ends.
        case stopTime
    }

    struct Current: Sendable, Equatable {
        let number: UInt64
        /// A Boolean value that is true if the expected response belongs to the request that ends the procedure.
        var isAborting = false
    }

    private(set) var current: Current?
    /// The requests that wait for their turn, in order.
    private(set) var waiting: [UInt64] = []

    /// Adds a request to the waiting requests.
    mutating func add(_ number: UInt64) { waiting.append(number) }

    /// The next request becomes current, if notifications are on and there is no current request.
    mutating func advance() -> [Action] {
        guard current == nil, let number = waiting.first else { return [] }
        waiting.removeFirst()
        current = Current(number: number)
        return [.startTime, .write(number)]
    }

    /// The response to the current request has come.
    mutating func responded() -> [Action] { free() }

    /// The peripheral, or the link, has refused the write of a request.
    mutating func refused(_ number: UInt64, isAbort: Bool) -> [Action] {
        guard let current, current.number == number, current.isAborting == isAbort else { return [] }
        return free()
    }

    /// The time limit that the specifications set for a procedure has passed.
    mutating func timePassed() -> [Action] { free() }

    /// The caller of a request no longer waits.
    mutating func left(_ number: UInt64, canAbort: Bool) -> [Action] {
        if let index = waiting.firstIndex(of: number) {
            waiting.remove(at: index)
            return [.answer(number), .forget(number)]
        }
        guard let current, current.number == number, !current.isAborting else { return [] }
        if !canAbort { return [.answer(number)] }
        self.current = Current(number: number, isAborting: true)
        return [.answer(number), .startTime, .abort(number)]
    }

    /// Notifications have ended: the current request ends, and so do the waiting requests that do not wait for the next
    /// connection.
    mutating func ended(where isEnded: (UInt64) -> Bool) -> [Action] {
        let ended = waiting.filter(isEnded)
        waiting.removeAll(where: isEnded)
        return free() + ended.flatMap { [.answer($0), .forget($0)] }
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
        let place = current.map { $0.isAborting ? "aborting" : "written" } ?? "free"
        return waiting.isEmpty ? place : "\(place) waiting \(waiting.count)"
    }
}
