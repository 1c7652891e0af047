// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// Which attribute of which link an object of the mirror, by its number, stands for, so that a value that BlueZ signals
/// finds its way by one look.
struct RouteTable {
    typealias Route = (link: BlueZLink, attribute: AttributeID)

    private var routes: [Int: Route] = [:]
    private var objects: [String: [Int]] = [:]

    /// The route that was asked for last: values come many in a row from one characteristic.
    private var latest: (object: Int, route: Route)?

    subscript(object: Int) -> Route? {
        mutating get {
            if let latest, latest.object == object { return latest.route }
            latest = routes[object].map { (object, $0) }
            return latest?.route
        }
    }

    mutating func add(_ attributes: [(object: Int, id: AttributeID)], to link: BlueZLink) {
        latest = nil
        for (object, id) in attributes { routes[object] = (link, id) }
        objects[link.path] = attributes.map(\.object)
    }

    mutating func remove(_ link: BlueZLink) {
        latest = nil
        for object in objects.removeValue(forKey: link.path) ?? [] { routes[object] = nil }
    }
}
#endif
