// SPDX-License-Identifier: MIT

import BlueCapCore

/// The surroundings of a simulation: the steps, and the way in which the faults act on the world.
protocol SimulationScene: Sendable {
    var journal: RunJournal { get }
    var steps: [SimulationStep] { get }

    /// Starts a fault, or ends one.
    ///
    /// - Returns: The fault as it befell the world; nil where it befell nobody.
    func play(_ fault: SimulatedFault) async -> PlayedFault?
    func heal() async
    var pending: PendingWork { get async }
    /// Ends the managers and checks that no work is left.
    ///
    /// - Returns: The objects that must be gone when the scene is released.
    func close() async -> [WeakObject]
}

extension SimulationScene {
    /// Has everything go wrong that the steps say, at its time.
    func playFaults() async {
        let clock = journal.clock
        for (index, step) in steps.enumerated().sorted(by: { $0.element.time < $1.element.time }) {
            guard case .fault(let fault) = step.action else { continue }
            do { try await clock.sleep(for: step.time - clock.elapsed) } catch { return }
            var step = step
            step.played = await play(fault)
            journal.note(step, at: index)
        }
    }

    func check(_ remains: [String: Int], of manager: String) {
        for (what, count) in remains.sorted(by: { $0.key < $1.key }) {
            journal.violate("\(manager) still has \(count) \(what)")
        }
    }
}

/// An object that should be gone.
struct WeakObject: Sendable {
    // Written once, before it is shared.
    private final class Box: Sendable {
        weak let object: (any AnyObject & Sendable)?
        init(_ object: any AnyObject & Sendable) { self.object = object }
    }

    private let box: Box
    let name: String

    init(_ object: any AnyObject & Sendable, _ name: String) {
        box = Box(object)
        self.name = name
    }

    var isGone: Bool { box.object == nil }
}
