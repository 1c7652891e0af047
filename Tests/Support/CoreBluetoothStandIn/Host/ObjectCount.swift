// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Counts one object for as long as it lives.
final class ObjectCount: Sendable {
    typealias Counts = Locked<[StandInObject: Int]>

    private let kind: StandInObject
    private let counts: Counts

    init(_ kind: StandInObject, in counts: Counts) {
        self.kind = kind
        self.counts = counts
        counts.withLock { $0[kind, default: 0] += 1 }
    }

    deinit { counts.withLock { $0[kind, default: 0] -= 1 } }
}
