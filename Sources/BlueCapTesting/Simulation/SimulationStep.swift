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

    /// One line with the time and the step.
    public var description: String {
        let what =
            switch action {
            case .fault(let fault): "\(fault)"
            case .call(let call): "task \(lane): \(call)"
            case .kill(let pause): "the program is killed, and started again after \(pause.inSeconds)"
            }
        return "\(time.inSeconds)  \(what)"
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
