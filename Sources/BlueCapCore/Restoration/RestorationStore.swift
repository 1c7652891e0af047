// SPDX-License-Identifier: MIT

/// Where managers keep what they are to restore: one journal for each name.
///
/// ``FileRestorationStore`` keeps journals in files, ``MemoryRestorationStore`` for as long as it lives.
public protocol RestorationStore: Sendable {
    /// Opens the journal of a name for one writer, until ``RestorationJournal/close()``.
    ///
    /// Called while a manager is made, on the thread that makes it.
    ///
    /// - Throws: `.inUse` when it is open already, `.inaccessible`, `.unusable`.
    func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal
}
