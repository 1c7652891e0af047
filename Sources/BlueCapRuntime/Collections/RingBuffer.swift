// SPDX-License-Identifier: MIT

/// A first-in, first-out queue in one array that wraps around.
@_documentation(visibility: internal)
public struct RingBuffer<Element> {
    @usableFromInline var storage: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var fill = 0

    /// Creates an empty queue.
    @inlinable
    public init() {}

    /// The number of elements.
    @inlinable public var count: Int { fill }

    /// A Boolean value that is true if there are no elements.
    @inlinable public var isEmpty: Bool { fill == 0 }

    /// Adds the newest element.
    @inlinable
    public mutating func append(_ element: Element) {
        if fill == storage.count { grow() }
        storage[slot(fill)] = element
        fill += 1
    }

    /// The oldest element; nil if there is none.
    @inlinable public var first: Element? { isEmpty ? nil : self[0] }

    /// The newest element; nil if there is none.
    @inlinable public var last: Element? { isEmpty ? nil : self[fill - 1] }

    /// Removes and returns the oldest element; nil if there is none.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard fill > 0 else { return nil }
        let first = storage[head].take()
        head = slot(1)
        fill -= 1
        return first
    }

    /// Removes and returns the newest element; nil if there is none.
    @inlinable
    public mutating func popLast() -> Element? {
        guard fill > 0 else { return nil }
        fill -= 1
        return storage[slot(fill)].take()
    }

    /// Returns the position of the oldest element that passes a test; nil if none does.
    @inlinable
    public func firstIndex(where predicate: (Element) -> Bool) -> Int? {
        (0..<fill).first { predicate(self[$0]) }
    }

    /// The element at a position counted from the oldest.
    @inlinable
    public subscript(position: Int) -> Element {
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
        if storage.isEmpty {
            storage = [Element?](repeating: nil, count: 8)
            return
        }
        let capacity = storage.count * 2
        var larger: [Element?] = (0..<fill).map { storage[slot($0)] }
        larger.append(contentsOf: repeatElement(nil, count: capacity - fill))
        storage = larger
        head = 0
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
