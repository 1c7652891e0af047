// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// What is to be done.
    enum Action: Sendable, Equatable {
        /// The backend is asked to connect.
        case connect
        /// The backend is asked to end the connection or the attempt.
        case disconnect
        /// The app sees this state from now on.
        case publish(PeripheralState)
        /// The event goes to the app.
        case send(ConnectionEvent)
        case countAttempt
        case countTimeout
        case countLoss
        /// The timeout of the caller that has just joined begins.
        case startCallerTime
        /// The timeouts of all callers begin, except those that run already.
        case startCallersTime
        /// The timeouts of all callers end; they begin anew with the next attempt.
        case stopCallersTime
        /// The caller that is giving up is answered with its error.
        case answerCaller
        /// All callers are answered with the error.
        case answerCallers(PeripheralError)
        /// Those that wait for the end of a connection or an attempt are answered.
        case answerEnders
        /// The time of an attempt begins that no caller bounds.
        case startAttemptTime(Duration)
        case stopAttemptTime
        /// The next attempt is due after this time.
        case startRetry(after: Duration)
        case stopRetry
        /// What belongs to a connection begins; `isAgain` where the policy has made a lost one anew.
        case open(isAgain: Bool, maximumTransmissionUnit: Int?)
        /// What lives on the connection ends with the reason.
        case close(OperationFailure)
        /// The connection is reported to the app and to all callers, and its subscriptions are made again.
        case report
        /// The subscriptions of an earlier program are made, and then the connection is reported.
        case takeUp
        /// Subscriptions that wait for the next connection end: none will come.
        case endSubscriptions
    }
}
