// SPDX-License-Identifier: MIT

import BlueCapCore

/// A step of a simulation at one time: a fault of the world, or a call of the program in it.
public struct SimulationStep: Sendable, Hashable, CustomStringConvertible {
    enum Action: Sendable, Hashable {
        case fault(SimulatedFault)
        case call(ProgramCall)
        /// The program is killed, and started again after a while.
        case kill(Duration)
    }

    /// The time of the step, counted from the start of the run.
    public let time: Duration
    /// The task of the program that takes the step; each task takes its steps in order.
    let lane: Int
    let action: Action
    /// Whether it ends a fault.
    var isEnd = false
    /// The fault as it befell a world; nil for a fault that befell nobody, and for a call.
    var played: PlayedFault?

    /// The name of the virtual peripheral, or of the adapter with its address, that the fault of this step concerned;
    /// nil for a call, and for a fault for which the world had neither.
    public var subject: String? { played?.subject }

    /// One line with the time and the step, with the names of that which it concerned.
    public var description: String { "\(time.inSeconds)  \(what)" }

    /// The step without its time.
    var what: String {
        switch action {
        case .fault(let fault): played.map { ($0.subject.map { "\($0) " } ?? "") + $0.text } ?? "\(fault)"
        case .call(let call): "task \(lane): \(call)"
        case .kill(let pause): "the program is killed, and started again after \(pause.inSeconds)"
        }
    }
}

extension Duration {
    /// The duration in seconds with three decimals, for people.
    var inSeconds: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let thousandths = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: max(3 - thousandths.count, 0)) + thousandths
            + " s"
    }
}
