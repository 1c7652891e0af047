// SPDX-License-Identifier: MIT

import BlueCapCore

/// Reads and writes of one value, of which each write writes another number; the value is zero at the beginning.
///
/// They are linearizable if each can be given one moment between its beginning and its end so that every read returns
/// the number of the last write before it. With a number for each write this can be decided without a search: P. B.
/// Gibbons and E. Korach, Testing Shared Memories, SIAM J. Comput. 26 (1997).
struct RegisterHistory {
    /// The facts about all operations with one number.
    private struct Cluster {
        var writeBegan: Int
        /// The moment when the first of them ended.
        var firstEnd: Int
        /// The moment when the last of them began.
        var lastBegin: Int
        var isRead = false
    }

    private var clusters: [UInt64: Cluster] = [0: Cluster(writeBegan: 0, firstEnd: 0, lastBegin: 0)]
    private(set) var problems: [String] = []

    /// A write begins. Until it is known to have been done it may be done at any time, or never.
    mutating func writeBegan(_ number: UInt64, at moment: Int) {
        clusters[number] = Cluster(writeBegan: moment, firstEnd: .max, lastBegin: moment)
    }

    mutating func writeWasDone(_ number: UInt64, at moment: Int) {
        guard var cluster = clusters[number] else { return }
        cluster.firstEnd = min(cluster.firstEnd, moment)
        clusters[number] = cluster
    }

    mutating func read(_ number: UInt64, began: Int, ended: Int) {
        guard var cluster = clusters[number] else { return problems.append("\(number) was read, but never written") }
        cluster.firstEnd = min(cluster.firstEnd, ended)
        cluster.lastBegin = max(cluster.lastBegin, began)
        cluster.isRead = true
        clusters[number] = cluster
    }

    /// The conflicts that make an order impossible; empty if there is an order.
    func check() -> [String] {
        // A write that was neither read nor known to be done may never have been.
        let settled = clusters.filter { $0.value.isRead || $0.value.firstEnd != .max }
            .sorted { ($0.value.writeBegan, $0.key) < ($1.value.writeBegan, $1.key) }
        // A number was there from the first end to the last beginning of its operations, where that is a time at all.
        let forward = settled.filter { $0.value.firstEnd < $0.value.lastBegin }
        var found = problems
        for (index, one) in forward.enumerated() {
            for other in forward[(index + 1)...]
            where one.value.firstEnd < other.value.lastBegin && other.value.firstEnd < one.value.lastBegin {
                found.append("\(one.key) and \(other.key) were both there at one time")
            }
            for other in settled
            where other.key != one.key && other.value.firstEnd >= other.value.lastBegin
                && one.value.firstEnd < other.value.lastBegin && other.value.firstEnd < one.value.lastBegin
            {
                found.append("\(other.key) came and went while \(one.key) was there")
            }
        }
        return found
    }
}
