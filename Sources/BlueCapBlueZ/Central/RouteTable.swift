#if BlueZ && os(Linux)
import BlueCapCore

/// Which attribute of which link an object stands for, so that a value that BlueZ signals finds its way by one look.
struct RouteTable {
    typealias Route = (link: Link, attribute: AttributeID)

    private var routes: [String: Route] = [:]
    private var paths: [String: [String]] = [:]

    /// The route of an object.
    subscript(path: String) -> Route? { routes[path] }

    /// Takes in the attributes of a link.
    mutating func add(_ attributes: [(path: String, id: AttributeID)], to link: Link) {
        for (path, id) in attributes { routes[path] = (link, id) }
        paths[link.path] = attributes.map(\.path)
    }

    /// Forgets the attributes of a link.
    mutating func remove(_ link: Link) {
        for path in paths.removeValue(forKey: link.path) ?? [] { routes[path] = nil }
    }
}
#endif
