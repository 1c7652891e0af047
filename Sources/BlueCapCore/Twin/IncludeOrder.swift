// SPDX-License-Identifier: MIT

/// An order in which the services of a twin can be made: each behind those that it includes, as no platform takes an
/// include of a service that is not there yet.
///
/// Devices list services in any order: mice and keyboards have a Battery Service that Human Interface Device, which
/// stands before it, includes. A circle of includes, which only a damaged file has, is cut where it closes.
package struct IncludeOrder {
    /// The services by their index in the twin.
    package private(set) var indices: [Int] = []
    /// The services that each service includes, by index in the twin, without those that would close a circle.
    package private(set) var includes: [[Int]]

    /// Goes through the services without a call for each within another, since a file may have a long chain of them.
    ///
    /// - Parameter isOffered: Whether a service is made at all.
    package init(_ services: [TwinService], where isOffered: (TwinService) -> Bool = { _ in true }) {
        let offered = services.map(isOffered)
        includes = services.enumerated().map { index, service in
            service.includes.filter { services.indices.contains($0) && $0 != index && offered[$0] }
        }
        var position = [Int?](repeating: nil, count: services.count)
        var isSeen = [Bool](repeating: false, count: services.count)
        for start in services.indices where offered[start] && !isSeen[start] {
            isSeen[start] = true
            var path = [(service: start, next: 0)]
            while let (service, next) = path.last {
                guard next < includes[service].count else {
                    // A service on the path still has no position: to include it would close a circle.
                    includes[service].removeAll { position[$0] == nil }
                    position[service] = indices.count
                    indices.append(service)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let other = includes[service][next]
                if isSeen[other] { continue }
                isSeen[other] = true
                path.append((service: other, next: 0))
            }
        }
    }
}
