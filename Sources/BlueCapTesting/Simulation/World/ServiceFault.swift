// SPDX-License-Identifier: MIT

/// How the service of a platform, such as bluetoothd, misbehaves. Its calls are numbered round and round.
public enum ServiceFault: Sendable, Hashable, CustomStringConvertible {
    /// Refuses a call whenever it is made.
    case refuses(call: Int)
    /// Does what a call says when the fault ends.
    case holdsBack(call: Int)
    /// Answers a call a second time, with an error.
    case answersTwice(call: Int)
    /// Says twice what has changed.
    case repeatsItself
    /// Does all that it is told when the fault ends, in order.
    case standsStill

    /// What the service does.
    public var description: String {
        switch self {
        case .refuses(let call): "refuses call \(call)"
        case .holdsBack(let call): "holds call \(call) back"
        case .answersTwice(let call): "answers call \(call) twice"
        case .repeatsItself: "says all twice"
        case .standsStill: "stands still"
        }
    }
}
