// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// The requests to attributes of one link that wait for the peer.
struct OpenRequests {
    private(set) var waiting: Set<RequestID> = []
    /// Those that were answered here in the daemon's place; its own answers may still come.
    private var abandoned: Set<RequestID> = []
    /// Those that were made once more.
    private var repeated: Set<RequestID> = []

    /// A request is on its way to the peer.
    mutating func begin(_ id: RequestID) { waiting.insert(id) }

    /// An answer has come, to any request.
    ///
    /// - Returns: Whether it is to be reported: not if its request was abandoned.
    mutating func end(_ id: RequestID) -> Bool {
        repeated.remove(id)
        if !abandoned.isEmpty, abandoned.remove(id) != nil { return false }
        waiting.remove(id)
        return true
    }

    /// Whether a request that waits for the peer may be made once more: the first time that this is asked.
    mutating func mayRepeat(_ id: RequestID) -> Bool { waiting.contains(id) && repeated.insert(id).inserted }

    /// Later answers of the daemon are not reported.
    mutating func abandon() {
        abandoned.formUnion(waiting)
        waiting = []
    }
}
#endif
