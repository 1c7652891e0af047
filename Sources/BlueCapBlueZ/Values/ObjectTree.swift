#if BlueZ && os(Linux)
package import DBus

/// What changed in the mirror of BlueZ's objects; the mirror holds the new state already.
package enum TreeChange: Sendable, Hashable {
    /// An interface appeared on an object, with the properties that the mirror has now.
    case added(path: String, interface: String)
    /// An interface is gone from an object; these were its properties.
    case removed(path: String, interface: String, properties: ObjectTree.Properties)
    /// Properties got values, the same ones as before maybe, or lost theirs.
    case changed(path: String, interface: String, set: ObjectTree.Properties, invalidated: [String])

    package var path: String {
        switch self {
        case .added(let path, _), .removed(let path, _, _), .changed(let path, _, _, _): path
        }
    }

    package var interface: String {
        switch self {
        case .added(_, let interface), .removed(_, let interface, _), .changed(_, let interface, _, _): interface
        }
    }
}

/// A mirror of BlueZ's objects: path, interface, property.
///
/// Only interfaces of ``BlueZInterface/mirrored`` are held. A characteristic's or descriptor's `Value` is passed on but
/// not held: a copy of it would only age.
package struct ObjectTree: Sendable {
    package typealias Properties = [String: DBusValue]
    package typealias Interfaces = [String: Properties]

    private var objects: [String: Interfaces] = [:]
    private var below: [String: Set<String>] = [:]

    /// An empty mirror.
    package init() {}

    package var isEmpty: Bool { objects.isEmpty }
    package var count: Int { objects.count }
    package var paths: [String] { Array(objects.keys) }

    /// The properties of an interface on an object.
    package subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

    /// The paths of the objects directly below one, in order.
    package func children(of path: String, with interface: String) -> [String] {
        (below[path] ?? []).filter { objects[$0]?[interface] != nil }.sorted()
    }

    /// The paths of all objects with an interface, in order.
    package func paths(with interface: String) -> [String] {
        objects.filter { $0.value[interface] != nil }.keys.sorted()
    }

    /// Takes in the interfaces of an object that appeared, or grew.
    package mutating func add(_ path: String, _ interfaces: Interfaces) -> [TreeChange] {
        var changes: [TreeChange] = []
        for (interface, properties) in interfaces.sorted(by: { $0.key < $1.key })
        where BlueZInterface.mirrored.contains(interface) {
            if objects[path]?[interface] != nil {
                changes += diff(path, interface, properties)
            } else {
                link(path)
                objects[path, default: [:]][interface] = Self.held(properties)
                changes.append(.added(path: path, interface: interface))
            }
        }
        return changes
    }

    /// Takes interfaces off an object; one without any is forgotten.
    package mutating func remove(_ path: String, _ interfaces: [String]) -> [TreeChange] {
        var changes: [TreeChange] = []
        for interface in interfaces {
            guard let properties = objects[path]?.removeValue(forKey: interface) else { continue }
            changes.append(.removed(path: path, interface: interface, properties: properties))
        }
        if objects[path]?.isEmpty == true { unlink(path) }
        return changes
    }

    /// Takes in changed properties; nil for an object that is not there.
    package mutating func change(
        _ path: String, _ interface: String, set: Properties, invalidated: [String]
    ) -> TreeChange? {
        guard objects[path]?[interface] != nil else { return nil }
        for (name, value) in set where name != GattCharacteristic1.value.name {
            objects[path]?[interface]?[name] = value
        }
        for name in invalidated { objects[path]?[interface]?[name] = nil }
        return .changed(path: path, interface: interface, set: set, invalidated: invalidated)
    }

    /// Makes the mirror what a new reading says, and tells the differences: what is gone first, deepest first, then
    /// what is new or different, parents first.
    package mutating func replace(with snapshot: [String: Interfaces]) -> [TreeChange] {
        var changes: [TreeChange] = []
        for path in objects.keys.sorted().reversed() {
            let gone = objects[path, default: [:]].keys.filter { snapshot[path]?[$0] == nil }
            changes += remove(path, gone.sorted())
        }
        for path in snapshot.keys.sorted() { changes += add(path, snapshot[path] ?? [:]) }
        return changes
    }

    private mutating func diff(_ path: String, _ interface: String, _ properties: Properties) -> [TreeChange] {
        let new = Self.held(properties)
        let old = objects[path]?[interface] ?? [:]
        let set = new.filter { old[$0.key] != $0.value }
        let invalidated = old.keys.filter { new[$0] == nil }.sorted()
        if set.isEmpty, invalidated.isEmpty { return [] }
        objects[path]?[interface] = new
        return [.changed(path: path, interface: interface, set: set, invalidated: invalidated)]
    }

    private mutating func link(_ path: String) {
        guard objects[path] == nil, let parent = BlueZPath.parent(of: path) else { return }
        below[parent, default: []].insert(path)
    }

    private mutating func unlink(_ path: String) {
        objects[path] = nil
        guard let parent = BlueZPath.parent(of: path) else { return }
        below[parent]?.remove(path)
        if below[parent]?.isEmpty == true { below[parent] = nil }
    }

    private static func held(_ properties: Properties) -> Properties {
        guard properties.has(GattCharacteristic1.value) else { return properties }
        var properties = properties
        properties[GattCharacteristic1.value.name] = nil
        return properties
    }
}
#endif
