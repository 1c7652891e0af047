// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Answers the writes of a twin's characteristic by its rules, one after the other.
final class TwinResponder: Sendable {
    /// A characteristic, whose handler of writes holds the responder.
    private struct Target: Sendable {
        weak var characteristic: VirtualCharacteristic?
    }

    private struct State {
        var targets: [TwinRules.Place: Target] = [:]
        /// The replies to writes that came while an earlier one was answered.
        var waiting: [[TwinRules.Step]] = []
        var isBusy = false
    }

    private let rules: TwinRules
    private let place: TwinRules.Place
    private let state = Locked(State())

    init(_ rules: TwinRules, _ place: TwinRules.Place) {
        self.rules = rules
        self.place = place
    }

    /// Takes the characteristics that get values, from the services of the twin by index.
    func attach(to services: [VirtualService?]) {
        state.withLock { state in
            for place in rules.targets(at: place) {
                guard let characteristic = services[place.service]?.characteristics[place.characteristic] else {
                    continue
                }
                state.targets[place] = Target(characteristic: characteristic)
            }
        }
    }

    /// A central has written a value.
    func written(_ value: Bytes, to characteristic: VirtualCharacteristic) {
        let steps = rules.steps(after: value, at: place)
        guard !steps.isEmpty else { return }
        let isFirst = state.withLock { state in
            if !state.isBusy {
                state.isBusy = true
                return true
            }
            if state.waiting.count < TwinRules.maximumWaiting { state.waiting.append(steps) }
            return false
        }
        if isFirst { play(steps[...], .zero, on: characteristic) }
    }

    /// - Parameter passed: The time from the write to now.
    private func play(
        _ steps: ArraySlice<TwinRules.Step>, _ passed: Duration, on characteristic: VirtualCharacteristic
    ) {
        guard let step = steps.first else {
            let next = state.withLock { state -> [TwinRules.Step]? in
                state.isBusy = !state.waiting.isEmpty
                return state.isBusy ? state.waiting.removeFirst() : nil
            }
            if let next { play(next[...], .zero, on: characteristic) }
            return
        }
        characteristic.schedule(after: max(step.after - passed, .zero)) { [self, weak characteristic] in
            let target = state.withLock { $0.targets[step.target]?.characteristic }
            target?.update(step.value)
            if let characteristic { play(steps.dropFirst(), max(step.after, passed), on: characteristic) }
        }
    }
}
