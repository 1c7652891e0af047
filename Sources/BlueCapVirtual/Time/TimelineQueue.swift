// SPDX-License-Identifier: MIT

/// The entries by the times at which they are due; of equals the one that was added first comes first.
struct TimelineQueue {
    /// An entry that can be cancelled.
    struct Entry: Hashable {
        fileprivate let slot: Int
        let order: UInt64
    }

    /// Where a body waits, apart from the heap, in which entries change their places.
    private struct Slot {
        var order: UInt64
        var body: (() -> Void)?
    }

    /// The entries, cancelled ones included.
    private var exact = TimelineHeap()
    /// Entries that may wait for others, cancelled ones included.
    private var patient = TimelineHeap()
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var order: UInt64 = 0

    mutating func add(at time: Duration, isPatient: Bool, _ body: @escaping () -> Void) -> Entry {
        order += 1
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(Slot(order: order, body: body))
        } else {
            slots[slot] = Slot(order: order, body: body)
        }
        let entry = Entry(slot: slot, order: order)
        let item = TimelineHeap.Item(time: time, entry: entry)
        if isPatient { patient.push(item) } else { exact.push(item) }
        return entry
    }

    /// Cancels an entry, and returns whether it was still to be done.
    mutating func cancel(_ entry: Entry) -> Bool { take(entry) != nil }

    /// When the next entry has to be done at the latest, where patient ones may wait for so long.
    mutating func nextWake(_ patience: Duration) -> Duration? {
        while let first = exact.first, !isPending(first.entry) { exact.pop() }
        while let first = patient.first, !isPending(first.entry) { patient.pop() }
        guard let late = patient.first.map({ $0.time + patience }) else { return exact.first?.time }
        return exact.first.map { min($0.time, late) } ?? late
    }

    /// Takes out the earliest entry that is due.
    mutating func popDue(at due: Duration) -> (time: Duration, body: () -> Void)? {
        while let first = popFirst(upTo: due) {
            if let body = take(first.entry) { return (first.time, body) }
        }
        return nil
    }

    private mutating func popFirst(upTo due: Duration) -> TimelineHeap.Item? {
        if let item = patient.first, exact.first.map(item.isBefore) ?? true {
            guard item.time <= due else { return nil }
            patient.pop()
            return item
        }
        guard let item = exact.first, item.time <= due else { return nil }
        exact.pop()
        return item
    }

    private func isPending(_ entry: Entry) -> Bool {
        slots[entry.slot].order == entry.order && slots[entry.slot].body != nil
    }

    private mutating func take(_ entry: Entry) -> (() -> Void)? {
        guard slots[entry.slot].order == entry.order, let body = slots[entry.slot].body else { return nil }
        slots[entry.slot].body = nil
        freeSlots.append(entry.slot)
        return body
    }
}
