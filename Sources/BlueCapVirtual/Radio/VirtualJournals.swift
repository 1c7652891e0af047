// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The journals of one backend, which its program's end takes away from the manager.
final class VirtualJournals: RestorationStore {
    private let store: MemoryRestorationStore
    private let journals = Locked<[any RestorationJournal]>([])

    init(store: MemoryRestorationStore) { self.store = store }

    func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal {
        let journal = try store.open(name)
        journals.withLock { $0.append(journal) }
        return journal
    }

    func close() {
        for journal in journals.withLock({ $0 }) { journal.close() }
    }
}
