// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The events of one run, line by line, and the violations among them.
final class RunJournal: Sendable {
    private struct Call {
        let name: String
        /// The peripheral on whose link it depends.
        let link: PeerIdentifier?
        let begun: Duration
        /// The time by which it has to return, and the reason.
        var end: (time: Duration, reason: String)?
    }

    private struct State {
        var lines: [SimulationTrace.Line] = []
        var violations: [String] = []
        var calls: OrderedTable<Int, Call> = [:]
        var lastCall = 0
        var order = 0
        var isHealed = false
        /// The faults that befell somebody, by their places among the steps.
        var played: [Int: PlayedFault] = [:]
        var tally = FaultTally()
    }

    let clock: BlueCapClock
    /// The longest time that a call may return later than due.
    private let tolerance: Duration
    private let state = Locked(State())

    init(clock: BlueCapClock, tolerance: Duration = .zero) {
        self.clock = clock
        self.tolerance = tolerance
    }

    /// The lines so far.
    var trace: SimulationTrace { state.withLock { SimulationTrace($0.lines, $0.tally) } }

    /// Steps with the faults as they befell the world.
    func named(_ steps: [SimulationStep]) -> [SimulationStep] {
        let played = state.withLock { $0.played }
        return steps.enumerated().map { index, step in
            var step = step
            step.played = played[index]
            return step
        }
    }

    /// The events that break a promise of the library.
    var violations: [String] { state.withLock { $0.violations } }

    /// - Parameter text: The event, made of values that do not change.
    func note(_ text: @autoclosure @escaping @Sendable () -> String) {
        let line = SimulationTrace.Line(time: clock.elapsed, isViolation: false, text: text)
        state.withLock { $0.lines.append(line) }
    }

    /// Notes a fault.
    ///
    /// - Parameter place: The place of the step among those of the run.
    func note(_ step: SimulationStep, at place: Int) {
        let played = step.played
        state.withLock { state in
            state.played[place] = played
            if step.isEnd { return }
            state.tally.all += 1
            if played != nil { state.tally.played += 1 }
        }
        note(step.what + (played == nil ? ", which befalls nobody" : ""))
    }

    func violate(_ what: String) {
        let time = clock.elapsed
        state.withLock { state in
            state.lines.append(SimulationTrace.Line(time: time, isViolation: true) { what })
            state.violations.append(time.inSeconds + "  " + what)
        }
    }

    /// A number that is larger than all before it: the place of a moment in the order of events.
    func moment() -> Int {
        state.withLock { state in
            state.order += 1
            return state.order
        }
    }

    // MARK: Healing

    /// Notes that every fault has ended.
    func heal() {
        note("every fault is taken back")
        state.withLock { $0.isHealed = true }
    }

    var isHealed: Bool { state.withLock { $0.isHealed } }

    /// Returns when every fault has ended, or the task is cancelled.
    func healed() async {
        while !isHealed {
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    // MARK: Calls

    /// Makes a call of the library and checks its promises: it returns once, at the latest with its timeout, its link
    /// or its cancellation.
    ///
    /// - Parameters:
    ///   - name: The call in words.
    ///   - link: The peripheral on whose link the call depends, if it does.
    ///   - timeout: The timeout of the call, if it has to return by then.
    ///   - cancellation: The time after which the call's task is cancelled.
    func call<Value: Sendable, Failure: BlueCapError>(
        _ name: String, link: PeerIdentifier? = nil, timeout: Duration? = nil, cancellation: Duration? = nil,
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        let number = begin(name, link, timeout)
        let result: Result<Value, Failure>
        if let cancellation {
            result = await withTaskGroup(of: Result<Value, Failure>?.self) { group in
                group.addTask { await outcome(of: body) }
                group.addTask { [self] in
                    guard (try? await clock.sleep(for: cancellation)) != nil else { return nil }
                    mustEnd(number, "its cancellation")
                    return nil
                }
                var result: Result<Value, Failure>?
                while let next = await group.next() {
                    group.cancelAll()
                    result = result ?? next
                }
                guard let result else { preconditionFailure("a call has an outcome") }
                return result
            }
        } else {
            result = await outcome(of: body)
        }
        // Now, as handles change, and keep their manager.
        let text =
            switch result {
            case .success(let value): value is Void ? "done" : "\(value)"
            case .failure(let error): "\(error.reason)"
            }
        end(number, text)
        return result
    }

    private func begin(_ name: String, _ link: PeerIdentifier?, _ timeout: Duration?) -> Int {
        let begun = clock.elapsed
        let number = state.withLock { state in
            state.lastCall += 1
            state.calls[state.lastCall] = Call(
                name: name, link: link, begun: begun, end: timeout.map { (begun + $0, "its timeout") })
            return state.lastCall
        }
        note("call \(number): \(name)")
        return number
    }

    private func end(_ number: Int, _ result: String) {
        let call = state.withLock { $0.calls.removeValue(forKey: number) }
        note("call \(number) returns: \(result)")
        guard let call else { return violate("call \(number) returned twice") }
        if let end = call.end, clock.elapsed > end.time + tolerance {
            violate("\(call.name), begun at \(call.begun.inSeconds), outlived \(end.reason) at \(end.time.inSeconds)")
        }
    }

    private func mustEnd(_ number: Int, _ reason: String) {
        let now = clock.elapsed
        state.withLock { state in
            guard let call = state.calls[number], call.end.map({ $0.time > now }) ?? true else { return }
            state.calls[number]?.end = (now, reason)
        }
    }

    /// The link to a peripheral, or every link, has ended: so must the calls that were made on it.
    func linkEnded(_ peripheral: PeerIdentifier?) {
        let numbers = state.withLock { state in
            state.calls.filter { $0.value.link != nil && (peripheral == nil || $0.value.link == peripheral) }.keys
        }
        for number in numbers { mustEnd(number, "its link, which ended") }
    }

    /// Records a violation for each call that has not returned.
    func checkThatAllReturned() {
        let open = state.withLock { $0.calls.values }
        for call in open { violate("\(call.name), begun at \(call.begun.inSeconds), has not returned") }
    }
}
