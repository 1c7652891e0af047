// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// Keeps journals in memory, for tests of an app's restoration: two managers one after the other over one store are a
/// program and the one that restores it.
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

    /// The contents of a journal, as a file would have them; nil where there is none. The next manager reads the
    /// bytes put there.
    public subscript(name: String) -> Bytes? {
        get { state.withLock { $0.entries[name]?.contents } }
        set { state.withLock { $0.entries[name, default: Entry()].contents = newValue } }
    }

    /// The contents moved out of the way; nil where there are none.
    public func contentsSetAside(_ name: String) -> Bytes? { state.withLock { $0.entries[name]?.setAside } }

    /// Takes every journal away from its manager, as the end of its program does: what it writes from now on is lost,
    /// and another manager can open the journal.
    public func closeAll() {
        state.withLock { state in
            for name in state.entries.keys { state.entries[name]?.writer = nil }
        }
    }

    /// Opens the journal of a name, until it is closed or ``closeAll()``.
    ///
    /// - Throws: `.inUse` where another manager has it open.
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
