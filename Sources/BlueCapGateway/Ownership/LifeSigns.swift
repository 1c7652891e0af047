// SPDX-License-Identifier: MIT

#if Gateway
/// The signs of life that a gateway sends, and that come back from the broker.
struct LifeSigns {
    /// The time between two of them.
    private static let interval = Duration.milliseconds(300)
    /// An owner whose sign of life does not come back within this time is silent, as the others may take it for dead.
    private static let lease = Duration.milliseconds(600)
    /// Some 45 seconds.
    private static let unansweredCount: UInt64 = 150

    private var number: UInt64 = 0
    private var sentAt: Duration?
    /// The signs that have not come back, oldest first.
    private var unanswered: [(number: UInt64, at: Duration)] = []
    private var answeredNumber: UInt64 = 0
    /// When the newest sign that has come back was sent, or the connection began.
    private var provenAt = Duration.zero
    /// The sign behind which all claims have come that the broker keeps.
    private var firstNumber: UInt64 = 0
    /// How many signs have come back: the time of the group, which stands still with the broker.
    private(set) var beat: UInt64 = 0

    /// Whether a sign of this connection has come back, and before it all claims that the broker keeps.
    var isAnswered: Bool { answeredNumber >= firstNumber }

    /// Whether none of the last signs has come back, over longer than a connection lives that is silent.
    var isUnanswered: Bool { number + 1 >= max(answeredNumber + 1, firstNumber) + Self.unansweredCount }

    /// Whether the others may have taken this gateway for dead. It may also have stood still, and have sent no sign of
    /// life: messages of that time are behind it when the next one comes back.
    func isSuspended(at time: Duration) -> Bool {
        if let oldest = unanswered.first, time - oldest.at > Self.lease { return true }
        return time - provenAt > Self.interval + Self.lease
    }

    func isDue(at time: Duration) -> Bool { sentAt.map { time - $0 >= Self.interval } ?? true }

    /// Takes the beginning of a connection.
    mutating func connect(at time: Duration) {
        unanswered = []
        provenAt = time
        firstNumber = number + 1
    }

    /// Takes the end of a connection.
    mutating func disconnect() { unanswered = [] }

    /// The number of the next sign, which is sent now.
    mutating func next(at time: Duration) -> UInt64 {
        number += 1
        sentAt = time
        // The oldest tells the time; of the others a few.
        if unanswered.count >= 16 { unanswered.remove(at: 1) }
        unanswered.append((number, time))
        return number
    }

    /// Takes a sign off the broker, which may be of an earlier connection or of a copy of this gateway.
    mutating func take(_ answer: UInt64) {
        guard answer > answeredNumber, answer >= firstNumber, answer <= number else { return }
        answeredNumber = answer
        beat += 1
        if let sent = unanswered.last(where: { $0.number <= answer }) { provenAt = sent.at }
        unanswered.removeAll { $0.number <= answer }
    }
}
#endif
