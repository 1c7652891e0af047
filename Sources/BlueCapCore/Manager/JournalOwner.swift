// SPDX-License-Identifier: MIT

/// An actor that keeps a journal, and takes up the contents of an earlier program's.
protocol JournalOwner: RadioActor {
    /// The contents of the journal.
    associatedtype Contents: JournalCodable, Sendable
    /// The restored objects that the app asks for once.
    associatedtype Restored: Sendable

    var journal: JournalKeeper<Self> { get }
    /// Everything that is to be restored now.
    var contents: Contents { get }

    /// Prepares everything that is to be restored, for the time when the radio is on.
    func restore(_ contents: Contents)
}

extension JournalOwner {
    /// Compares the journal with everything that is to be restored, soon and once for all changes until then.
    func wantedChanged() { journal.compareSoon(self) }
}
