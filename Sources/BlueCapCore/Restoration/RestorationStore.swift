// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

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

/// A journal that is open: one value that is replaced as a whole.
public protocol RestorationJournal: AnyObject, Sendable {
    /// Which journal it is, for people.
    var location: String { get }

    /// What was written last; nil where nothing was.
    ///
    /// - Throws: `.foreign`, `.corrupt` where it is too long, `.inaccessible`.
    func read() throws(RestorationFailure) -> Bytes?

    /// Replaces the contents soon, and returns at once. Of several values that wait to be written only the newest is.
    ///
    /// - Parameters:
    ///   - contents: The bytes to write.
    ///   - failed: Called on any thread where it could not be written; the contents are what they were.
    func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void)

    /// Moves the contents out of the way, for people to look at. It replaces what was moved there before.
    ///
    /// - Returns: Where they are; nil where they could not be moved.
    func setAside() -> String?

    /// Ends the writing: what was handed over is still written, and the journal can be opened by another.
    func close()
}

/// Keeps journals in memory, for tests of an app's restoration: two managers one after the other over one store are a program
/// and the one that restores it.
public final class MemoryRestorationStore: RestorationStore {
    private struct Entry {
        var contents: Bytes?
        var setAside: Bytes?
        /// Names the writer that has it open.
        var writer: UInt64?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var lastWriter: UInt64 = 0
    }

    private let state = Locked(State())

    /// A store with nothing in it.
    public init() {}

    /// The contents of a journal, as a file would have them; nil where there is none. What is put there is what the next
    /// manager reads.
    public subscript(name: String) -> Bytes? {
        get { state.withLock { $0.entries[name]?.contents } }
        set { state.withLock { $0.entries[name, default: Entry()].contents = newValue } }
    }

    /// What was moved out of the way; nil where nothing was.
    public func contentsSetAside(_ name: String) -> Bytes? { state.withLock { $0.entries[name]?.setAside } }

    /// Takes every journal away from its manager, as the end of its program does: what it writes from now on is lost, and
    /// another manager can open the journal.
    public func closeAll() {
        state.withLock { state in
            for name in state.entries.keys { state.entries[name]?.writer = nil }
        }
    }

    /// Opens the journal of a name.
    public func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal {
        let writer: UInt64? = state.withLock { state in
            if state.entries[name]?.writer != nil { return nil }
            state.lastWriter += 1
            state.entries[name, default: Entry()].writer = state.lastWriter
            return state.lastWriter
        }
        guard let writer else { throw RestorationFailure(.inUse, location: Self.location(name)) }
        return MemoryJournal(store: self, name: name, writer: writer)
    }

    private static func location(_ name: String) -> String { "memory:\(name)" }

    private final class MemoryJournal: RestorationJournal {
        let store: MemoryRestorationStore
        let name: String
        let writer: UInt64

        init(store: MemoryRestorationStore, name: String, writer: UInt64) {
            self.store = store
            self.name = name
            self.writer = writer
        }

        var location: String { MemoryRestorationStore.location(name) }

        func read() -> Bytes? { store[name] }

        func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void) {
            change { $0.contents = contents }
        }

        func setAside() -> String? {
            change {
                $0.setAside = $0.contents
                $0.contents = nil
            }
            return location + ".kept"
        }

        func close() { change { $0.writer = nil } }

        private func change(_ body: (inout Entry) -> Void) {
            store.state.withLock { state in
                guard var entry = state.entries[name], entry.writer == writer else { return }
                body(&entry)
                state.entries[name] = entry
            }
        }
    }
}
