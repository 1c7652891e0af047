// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A place where managers keep the state to restore: one journal for each name.
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

/// A journal that is open: one value that is replaced as a whole.
public protocol RestorationJournal: AnyObject, Sendable {
    /// Which journal it is, for people.
    var location: String { get }

    /// Returns the contents written last; nil where there are none.
    ///
    /// - Throws: `.foreign`, `.corrupt` where it is too long, `.inaccessible`.
    func read() throws(RestorationFailure) -> Bytes?

    /// Whether ``read()`` gives contents that are not written yet, such as those that an earlier manager has handed
    /// over and closed: their writing may still fail. False by default.
    var isWriting: Bool { get }

    /// Replaces the contents soon, and returns at once. Of several values that wait to be written only the newest is.
    ///
    /// - Parameters:
    ///   - contents: The bytes to write.
    ///   - failed: Called on any thread where it could not be written; the contents stay the same.
    func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void)

    /// Moves the contents out of the way, for people to look at. They replace contents moved there before.
    ///
    /// - Returns: Where they are; nil where they could not be moved.
    func setAside() -> String?

    /// Ends the writing: contents handed over are still written, and the journal can be opened by another.
    func close()
}

extension RestorationJournal {
    /// Everything that is read was written.
    public var isWriting: Bool { false }
}
