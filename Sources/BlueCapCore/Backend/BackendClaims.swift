// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The backends of this process that belong to a manager.
///
/// A backend reports to one manager. A second manager over the same backend would take the events of the first, so it
/// gets an unavailable backend instead, whose failure says what is wrong. A claim lasts as long as the backend.
struct BackendClaims {
    private final class Entry: Sendable {
        weak let backend: (any RadioActor)?
        init(_ backend: any RadioActor) { self.backend = backend }
    }

    private static let all = Locked(BackendClaims())

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// With how many entries those of backends that are gone are taken out.
    private var cleaningCount = 16

    /// Claims a backend for a new manager.
    ///
    /// - Returns: Whether no manager has had it before.
    static func take(_ backend: any RadioActor) -> Bool { all.withLock { $0.take(backend) } }

    private mutating func take(_ backend: any RadioActor) -> Bool {
        let id = ObjectIdentifier(backend)
        if entries[id]?.backend != nil { return false }
        if entries.count >= cleaningCount {
            entries = entries.filter { $0.value.backend != nil }
            cleaningCount = max(2 * entries.count, 16)
        }
        entries[id] = Entry(backend)
        return true
    }
}

extension BackendFailure {
    /// The backend of a manager belongs to another manager.
    static let backendInUse = BackendFailure(
        name: "BlueCap.BackendInUse", message: "the backend belongs to another manager",
        advice: "create a backend for each manager")
}
