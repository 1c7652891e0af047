/// A first-in, first-out queue in one array that wraps around.
// Inlinable, so that the modules that use it have it specialised for their elements.
package struct RingBuffer<Element> {
    @usableFromInline var storage: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var fill = 0

    @inlinable
    package init() {}

    @inlinable package var count: Int { fill }

    @inlinable package var isEmpty: Bool { fill == 0 }

    @inlinable
    package mutating func append(_ element: Element) {
        if fill == storage.count { grow() }
        storage[slot(fill)] = element
        fill += 1
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard fill > 0 else { return nil }
        defer {
            storage[head] = nil
            head = slot(1)
            fill -= 1
        }
        return storage[head]
    }

    @inlinable
    package mutating func popLast() -> Element? {
        guard fill > 0 else { return nil }
        fill -= 1
        let last = slot(fill)
        defer { storage[last] = nil }
        return storage[last]
    }

    @inlinable
    package func firstIndex(where predicate: (Element) -> Bool) -> Int? {
        (0..<fill).first { predicate(self[$0]) }
    }

    /// The element at a position counted from the oldest.
    @inlinable
    package subscript(position: Int) -> Element {
        get {
            guard position < fill, let element = storage[slot(position)] else {
                preconditionFailure("position \(position) is outside of a queue of \(fill)")
            }
            return element
        }
        set { storage[slot(position)] = newValue }
    }

    @inlinable
    func slot(_ position: Int) -> Int {
        let index = head + position
        return index < storage.count ? index : index - storage.count
    }

    @inlinable
    mutating func grow() {
        let capacity = max(8, storage.count * 2)
        var larger: [Element?] = (0..<fill).map { storage[slot($0)] }
        larger.append(contentsOf: repeatElement(nil, count: capacity - fill))
        storage = larger
        head = 0
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
