// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The values that one loop over notifications got, to be compared with those that passed the seam.
struct ListenerRecord: Sendable {
    /// The number of values that had come before the listener was asked for.
    let before: Int
    /// The number of links, or lives of the characteristic, that had ended by then.
    let breaksBefore: Int
    /// Whether notifications were off then, so that every value that comes after is for it.
    let wasOff: Bool
    /// The number of values that had come when the call returned.
    var ready = 0
    var received: [Bytes] = []
    var dropped = 0
    /// Whether the loop ended with an error, so that it has got every value that was its own.
    var wasEnded = false
    let survivesLinks: Bool

    /// - Parameters:
    ///   - passage: The values that have passed so far.
    ///   - survivesLinks: Whether the loop goes on over lost links.
    ///   - takesHeld: Whether earlier values were held for this loop.
    ///   - isFirst: Whether it is the first loop, which gets all held values. One that failed before may have had a
    ///     part.
    init(_ passage: SeamWatch.Passage, survivesLinks: Bool, takesHeld: Bool = false, isFirst: Bool = true) {
        breaksBefore = passage.breaks.count
        self.survivesLinks = survivesLinks
        if takesHeld, let firstAsked = passage.firstAsked {
            // An end meanwhile has ended the holding, and may have restarted it.
            let isWhole = isFirst && passage.breaks.isEmpty && !passage.wasRefused
            before = isWhole ? firstAsked : 0
            wasOff = isWhole
        } else {
            before = passage.values.count
            wasOff = !passage.isActive
        }
    }

    /// The error in the record; nil if every value came once and in order, or was counted as dropped.
    func problem(in passage: SeamWatch.Passage) -> String? {
        let end =
            survivesLinks ? passage.values.count : passage.breaks.dropFirst(breaksBefore).first ?? passage.values.count
        let latest = wasOff ? before : ready
        for start in stride(from: min(latest, end), through: min(before, end), by: -1) {
            if matches(passage.values[start..<max(end, start)]) { return nil }
        }
        return "a listener got \(received.count) values, dropped \(dropped), of the \(end - latest) that were its own: "
            + "\(received.map(\.hex)) of \(passage.values[min(latest, end)..<end].map(\.hex))"
    }

    private func matches(_ owed: ArraySlice<Bytes>) -> Bool {
        if dropped == 0 {
            return wasEnded && !survivesLinks ? owed.elementsEqual(received) : owed.starts(with: received)
        }
        if wasEnded && !survivesLinks && owed.count != received.count + dropped { return false }
        var rest = owed
        for value in received {
            guard let place = rest.firstIndex(of: value) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}
