// SPDX-License-Identifier: MIT

/// Which services of a twin include each other in a circle: the strongly connected parts of the graph of what includes
/// what, found in time that grows with its edges (Kosaraju's algorithm), since a file may hold many.
struct IncludeCircles {
    /// The part that each service is in.
    private let parts: [Int?]

    init(_ twin: Twin) {
        let indices = twin.services.indices
        let including = twin.services.map { $0.includes.filter(indices.contains) }
        var included = [[Int]](repeating: [], count: including.count)
        for (index, others) in including.enumerated() {
            for other in others { included[other].append(index) }
        }
        let order = Self.order(including)
        var parts = [Int?](repeating: nil, count: including.count)
        for index in order.reversed() where parts[index] == nil {
            var found = [index]
            parts[index] = index
            while let next = found.popLast() {
                for other in included[next] where parts[other] == nil {
                    parts[other] = index
                    found.append(other)
                }
            }
        }
        self.parts = parts
    }

    /// The services, each behind all that are reached from it and were not reached before.
    private static func order(_ including: [[Int]]) -> [Int] {
        var order: [Int] = []
        var isSeen = [Bool](repeating: false, count: including.count)
        for start in including.indices where !isSeen[start] {
            isSeen[start] = true
            var path = [(service: start, next: 0)]
            while let (service, next) = path.last {
                guard next < including[service].count else {
                    order.append(service)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let other = including[service][next]
                if isSeen[other] { continue }
                isSeen[other] = true
                path.append((service: other, next: 0))
            }
        }
        return order
    }

    /// Whether each of two services can be reached from the other over included services.
    func areInOne(_ first: Int, _ second: Int) -> Bool { parts[first] == parts[second] }
}
