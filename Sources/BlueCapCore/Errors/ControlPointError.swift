// SPDX-License-Identifier: MIT

/// An error of a request to a control point; `Refusal` is the type of the service's results.
public enum ControlPointError<Refusal: Hashable & Sendable>: BlueCapError, Hashable {
    /// The peripheral has responded with a result that is not success.
    case refused(Refusal)
    /// The peripheral has not responded within the time given, or within the 30 seconds that the specifications allow;
    /// the connection stays.
    case responseTimeout
    /// The request did not reach the peripheral, the peripheral refused it with an ATT error, or its response cannot
    /// arrive.
    case characteristic(CharacteristicError)

    public var explanation: ErrorExplanation {
        switch self {
        case .refused(let result):
            ErrorExplanation(
                .refused, "the peripheral responded: \(result)",
                advice: "the section of the service about its control point says when it does so")
        case .responseTimeout:
            ErrorExplanation(
                .timeout, "the control point did not respond within the time given",
                advice: "the request may still have been carried out: the specifications have a central disconnect here"
            )
        case .characteristic(.att(.procedureAlreadyInProgress)):
            ErrorExplanation(
                .att(.procedureAlreadyInProgress), "the control point is busy with another procedure",
                advice: "request it again when that one has ended")
        case .characteristic(let error): error.explanation
        }
    }

    init(_ error: CharacteristicError) { self = error == .valueTimeout ? .responseTimeout : .characteristic(error) }
}
