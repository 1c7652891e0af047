// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// The requests to attributes of one link that wait for the peer.
struct OpenRequests {
    private(set) var waiting: Set<RequestID> = []
    /// Those that were answered here in the daemon's place; its own answers may still come.
    private var abandoned: Set<RequestID> = []

    /// A request is on its way to the peer.
    mutating func begin(_ id: RequestID) { waiting.insert(id) }

    /// An answer has come, to any request.
    ///
    /// - Returns: Whether it is to be reported: not if its request was abandoned.
    mutating func end(_ id: RequestID) -> Bool {
        if !abandoned.isEmpty, abandoned.remove(id) != nil { return false }
        waiting.remove(id)
        return true
    }

    /// Later answers of the daemon are not reported.
    mutating func abandon() {
        abandoned.formUnion(waiting)
        waiting = []
    }
}
#endif
