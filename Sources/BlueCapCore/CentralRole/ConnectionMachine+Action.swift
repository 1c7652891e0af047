// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// An action for the manager to carry out.
    enum Action: Sendable, Equatable {
        /// The backend is asked to connect.
        case connect
        /// The backend is asked to end the connection or the attempt.
        case disconnect
        /// The state that the app sees is set.
        case publish(PeripheralState)
        /// The event goes to the app.
        case send(ConnectionEvent)
        case countAttempt
        case countTimeout
        case countLoss
        /// The timeout of the caller that has just joined begins.
        case startCallerTime
        /// The timeouts of all callers begin, except running timeouts.
        case startCallersTime
        /// The timeouts of all callers end; they begin again with the next attempt.
        case stopCallersTime
        /// The caller that is giving up is answered with its error.
        case answerCaller
        /// All callers are answered with the error.
        case answerCallers(PeripheralError)
        /// The callers that wait for the end of a connection or an attempt are answered.
        case answerEnders
        /// The timeout begins for an attempt without a caller's timeout.
        case startAttemptTime(Duration)
        case stopAttemptTime
        /// The next attempt is due after this time.
        case startRetry(after: Duration)
        case stopRetry
        /// The state of a new connection begins; `isAgain` is true if the policy has restored a lost connection.
        case open(isAgain: Bool, maximumTransmissionUnit: Int?)
        /// The requests and subscriptions of the connection end with the reason.
        case close(OperationFailure)
        /// The connection is reported to the app and to all callers, and its subscriptions are made again.
        case report
        /// The subscriptions of an earlier program are made, and then the connection is reported.
        case takeUp
        /// Subscriptions that wait for the next connection end, because there will be none.
        case endSubscriptions
    }
}
