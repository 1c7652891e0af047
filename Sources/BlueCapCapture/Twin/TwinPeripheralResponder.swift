// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Answers the writes of one characteristic of a twin that a manager offers, one after the other.
struct TwinPeripheralResponder: Sendable {
    private let rules: TwinRules
    private let place: TwinRules.Place
    private let targets: [TwinRules.Place: MutableCharacteristic]
    private let waiting = Mailbox<[TwinRules.Step], Never>(capacity: .oldest(TwinRules.maximumWaiting))

    /// The responders of the characteristics with rules.
    static func responders(
        _ rules: TwinRules, _ offered: [TwinRules.Place: MutableCharacteristic]
    ) -> [MutableCharacteristic: TwinPeripheralResponder] {
        var responders: [MutableCharacteristic: TwinPeripheralResponder] = [:]
        for (place, characteristic) in offered where rules.has(place) {
            let targets = offered.filter { rules.targets(at: place).contains($0.key) }
            responders[characteristic] = TwinPeripheralResponder(rules: rules, place: place, targets: targets)
        }
        return responders
    }

    private init(rules: TwinRules, place: TwinRules.Place, targets: [TwinRules.Place: MutableCharacteristic]) {
        self.rules = rules
        self.place = place
        self.targets = targets
    }

    /// The same responder, to which nothing was written.
    func withoutWrites() -> Self { Self(rules: rules, place: place, targets: targets) }

    /// A central has written a value.
    func written(_ value: Bytes) {
        let steps = rules.steps(after: value, at: place)
        if !steps.isEmpty { _ = waiting.push(steps) }
    }

    /// Sends the replies until the task is cancelled.
    func run(on clock: BlueCapClock) async {
        while let steps = await waiting.next() {
            let start = clock.elapsed
            for step in steps {
                do { try await clock.sleep(for: start + step.after - clock.elapsed) } catch { return }
                guard let target = targets[step.target] else { continue }
                // Without a manager, which is about to end then, there is no one to send it to.
                if target.canNotify, (try? target.update(step.value)) != nil { continue }
                target.value = step.value
            }
        }
    }
}
