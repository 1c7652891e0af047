// SPDX-License-Identifier: MIT

import BlueCapRuntime

extension VirtualRadio {
    /// The numbers of the peripheral roles' objects on the radio, by kind: empty once everything was removed and every
    /// central has left.
    package func remains() async -> [String: Int] {
        let peers = participants.withLock { Array($0.localPeers.values) }
        return await withCheckedContinuation { continuation in
            ether.perform { _ in
                let all: [[String: Int]] = peers.map { $0.with { $0.remains } }
                let sums = all.reduce(into: [:]) { sums, each in sums.merge(each) { $0 + $1 } }
                continuation.resume(returning: sums.filter { $0.value > 0 })
            }
        }
    }
}

extension LocalPeer {
    fileprivate var remains: [String: Int] {
        roles.map(\.remains).reduce(["links": links.count]) { $0.merging($1) { $0 + $1 } }
    }
}
