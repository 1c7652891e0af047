/// A first-in, first-out queue in one array that wraps around.
package struct RingBuffer<Element> {
    private var storage: [Element?] = []
    private var head = 0
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[slot(count)] = element
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            storage[head] = nil
            head = slot(1)
            count -= 1
        }
        return storage[head]
    }

    package mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        let last = slot(count)
        defer { storage[last] = nil }
        return storage[last]
    }

    package func firstIndex(where predicate: (Element) -> Bool) -> Int? {
        (0..<count).first { predicate(self[$0]) }
    }

    /// The element at a position counted from the oldest.
    package subscript(position: Int) -> Element {
        get {
            guard position < count, let element = storage[slot(position)] else {
                preconditionFailure("position \(position) is outside of a queue of \(count)")
            }
            return element
        }
        set { storage[slot(position)] = newValue }
    }

    private func slot(_ position: Int) -> Int {
        let index = head + position
        return index < storage.count ? index : index - storage.count
    }

    private mutating func grow() {
        let capacity = max(8, storage.count * 2)
        var larger: [Element?] = (0..<count).map { storage[slot($0)] }
        larger.append(contentsOf: repeatElement(nil, count: capacity - count))
        storage = larger
        head = 0
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
