// SPDX-License-Identifier: MIT

/// The requests to one control point: one at a time, in the order of the calls.
///
/// A request keeps its place until its response comes, whether its caller still waits or not, so that a late response
/// is never taken for that to another request. It frees the place by its response, by an ATT error, by the time that
/// the specifications give a procedure, and with the link. Where the control point has a request that ends a procedure,
/// that takes the place of a request whose caller gave up.
///
/// A machine is a value: it knows neither the backend nor the time. Each method takes what has happened and returns
/// what is to be done about it, in that order.
struct ControlPointMachine: Sendable {
    /// What is to be done.
    enum Action: Sendable, Equatable {
        /// The request goes to the peripheral.
        case write(UInt64)
        /// The request that ends the procedure goes to the peripheral.
        case abort(UInt64)
        /// The caller of the request is answered with the value or the error that has just come, if it still waits.
        case answer(UInt64)
        /// Nothing comes any more for the request.
        case forget(UInt64)
        /// The time of the procedure begins.
        case startTime
        /// The time of the procedure has no meaning any more.
        case stopTime
    }

    /// The request that has the place.
    struct Current: Sendable, Equatable {
        let number: UInt64
        /// Whether the response that is waited for is that to the request which ends the procedure.
        var isAborting = false
    }

    private(set) var current: Current?
    /// Those that wait for their turn, in order.
    private(set) var waiting: [UInt64] = []

    /// A request joins those that wait for their turn.
    mutating func add(_ number: UInt64) { waiting.append(number) }

    /// The next request has its turn, if notifications are on and no other request has the place.
    mutating func advance() -> [Action] {
        guard current == nil, let number = waiting.first else { return [] }
        waiting.removeFirst()
        current = Current(number: number)
        return [.startTime, .write(number)]
    }

    /// The response to the current request has come.
    mutating func responded() -> [Action] { free() }

    /// The peripheral, or the link, has refused what was written for a request.
    mutating func refused(_ number: UInt64, isAbort: Bool) -> [Action] {
        guard let current, current.number == number, current.isAborting == isAbort else { return [] }
        return free()
    }

    /// The time that the specifications give a procedure has passed.
    mutating func timePassed() -> [Action] { free() }

    /// The caller of a request does not wait any more.
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

    /// No notification comes any more: the current request ends, and of those that wait those that do not wait for the
    /// next connection.
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
    /// Who has the place, and how many wait for it.
    var description: String {
        let place = current.map { $0.isAborting ? "aborting" : "written" } ?? "free"
        return waiting.isEmpty ? place : "\(place) waiting \(waiting.count)"
    }
}
