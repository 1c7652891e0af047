// SPDX-License-Identifier: MIT

/// The journal of a manager, and the objects that an earlier program's journal restored.
///
/// Touched on the owner only.
final class JournalKeeper<Owner: JournalOwner> {
    private let journal: Journal?
    /// The contents of the journal, until they are taken up.
    private var contents: Owner.Contents?
    private var failure: RestorationFailure?
    /// Whether the owner is about to compare.
    private var isComparing = false
    /// The restored objects that the app has not asked for yet.
    private(set) var restored: Owner.Restored?

    init(_ opened: Journal.Opened<Owner.Contents>) {
        journal = opened.journal
        contents = opened.contents
        failure = opened.failure
    }

    var isKept: Bool { journal != nil }

    // MARK: Restoring

    /// Has the owner take the contents of the journal up, once.
    func takeUp(_ owner: isolated Owner) {
        guard let contents = contents.take() else { return }
        owner.restore(contents)
    }

    /// Keeps restored objects until the app asks for them.
    func hold(_ restored: Owner.Restored) { self.restored = restored }

    /// The restored objects, or the reason why there are none; once, then nil.
    func takeRestored() throws(RestorationFailure) -> Owner.Restored? {
        let (restored, failure) = (restored.take(), failure.take())
        if let failure { throw failure }
        return restored
    }

    // MARK: Writing

    /// Compares the journal with everything that is to be restored, soon and once for all changes until then.
    func compareSoon(_ owner: isolated Owner) {
        if journal == nil || isComparing { return }
        isComparing = true
        owner.later { $0.journal.write($0) }
    }

    /// Writes everything that is to be restored now, if that is not what was written last.
    func write(_ owner: isolated Owner) {
        guard let journal else { return }
        isComparing = false
        journal.write(owner.contents)
    }

    /// Closes the journal after everything that was written.
    func close() { journal?.close() }
}

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
    func restorationChanged() { journal.compareSoon(self) }
}
