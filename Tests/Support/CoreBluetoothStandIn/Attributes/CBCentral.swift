// SPDX-License-Identifier: MIT

import Foundation

/// A central that uses a local service (I7).
public final class CBCentral: CBPeer {
    /// The most bytes of an update, which change without a word (I7, J3).
    public internal(set) var maximumUpdateValueLength = 20
    private let count: ObjectCount

    init(identifier: UUID, host: StandIn) {
        count = ObjectCount(.centrals, in: host.counts)
        super.init(identifier: identifier)
    }
}
