// SPDX-License-Identifier: MIT

/// A misbehaviour of the service of a platform, such as bluetoothd. The number of a call counts modulo the number of
/// the service's calls.
public enum ServiceFault: Sendable, Hashable, CustomStringConvertible {
    /// The service refuses a call whenever it is made.
    case refuses(call: Int)
    /// The service delays a call until the fault ends.
    case holdsBack(call: Int)
    /// The service answers a call a second time, with an error.
    case answersTwice(call: Int)
    /// The service reports each change twice.
    case repeatsItself
    /// The service delays all calls until the fault ends, and then handles them in order.
    case standsStill

    /// A sentence about the behaviour of the service.
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
