// SPDX-License-Identifier: MIT

#if Gateway
/// A message that waits for a broker.
package struct WaitingMessage: Hashable, Sendable {
    package var message: BrokerMessage
    /// Its place among all messages, counted from 1: the place of the oldest message of its topic that it stands for.
    package var number: UInt64 = 0
    /// When it was published, in seconds since 1970-01-01 UTC.
    package var date: Int64

    /// Whether it is an event that has waited for longer than its expiry.
    func isOverdue(at now: Int64) -> Bool {
        guard message.isMomentary, let expiry = message.expiry else { return false }
        let (age, isFuture) = now.subtractingReportingOverflow(date)
        return !isFuture && age > Int64(expiry)
    }
}
#endif
