// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
package import BlueCapDBus

/// What changed in the mirror of BlueZ's objects; the mirror holds the new state already.
package enum TreeChange: Sendable, Hashable {
    /// An interface appeared on an object, with the properties that the mirror has now.
    case added(path: String, interface: String)
    /// An interface is gone from an object; these were its properties.
    case removed(path: String, interface: String, properties: ObjectMirror.Properties)
    /// Properties got values, the same ones as before maybe, or lost theirs.
    case changed(path: String, interface: String, set: ObjectMirror.Properties, invalidated: [String])

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
/// Only interfaces and properties of ``BlueZInterface/mirrored`` are held. A characteristic's or descriptor's `Value` is passed on
/// but not held: a copy of it would only age. Each object has a number as long as it is there.
package struct ObjectMirror: Sendable {
    package typealias Properties = [String: DBusValue]
    package typealias Interfaces = [String: Properties]

    private struct Object: Sendable {
        let path: String
        /// One or two, so that they are found by looking at each.
        var interfaces: [(name: String, properties: Properties)] = []
        /// What its properties as a device amount to; read when it is asked for.
        var device = DeviceRecord()

        func place(of interface: String) -> Int? { interfaces.firstIndex { $0.name == interface } }

        func properties(of interface: String) -> Properties? {
            place(of: interface).map { interfaces[$0].properties }
        }

        mutating func sighting(as identifier: PeerIdentifier) -> Sighting? {
            readDevice()
            return device.sighting(as: identifier)
        }

        mutating func readDevice() {
            if !device.isRead, let properties = properties(of: BlueZInterface.device) {
                device = DeviceRecord(properties)
            }
        }
    }

    private var index = PathIndex()
    /// By number.
    private var objects: [Object?] = []
    private var below: [String: Set<String>] = [:]

    /// An empty mirror.
    package init() {}

    package var isEmpty: Bool { count == 0 }
    package var count: Int { index.count }
    package var paths: [String] { objects.compactMap { $0?.path } }

    /// The number of an object.
    package func number(of path: String) -> Int? { index.number(of: path.utf8Span.span) }

    /// The number of an object, given the UTF-8 bytes of its path.
    package func number(of path: ArraySlice<UInt8>) -> Int? { index.number(of: path.span) }

    /// The path of an object; nil for a number that no object has.
    package func path(of object: Int) -> String? { objects.indices.contains(object) ? objects[object]?.path : nil }

    /// Whether an object has an interface.
    package func has(_ interface: String, _ object: Int) -> Bool { objects[object]?.place(of: interface) != nil }

    /// The properties of an interface on an object.
    package subscript(path: String, interface: String) -> Properties? {
        number(of: path).flatMap { objects[$0]?.properties(of: interface) }
    }

    /// The paths of the objects directly below one, in order.
    package func children(of path: String, with interface: String) -> [String] {
        (below[path] ?? []).filter { self[$0, interface] != nil }.sorted()
    }

    /// The paths of all objects with an interface, in order.
    package func paths(with interface: String) -> [String] {
        objects.compactMap { $0.flatMap { $0.place(of: interface) == nil ? nil : $0.path } }.sorted()
    }

    /// The sighting that a device's properties amount to; nil for an object that is none, and for one that no running discovery
    /// has received.
    mutating func sighting(of object: Int, as identifier: PeerIdentifier) -> Sighting? {
        // Where it stands, without a copy of the record.
        objects[object]?.sighting(as: identifier) ?? nil
    }

    /// What a device advertises; nothing for an object that is none.
    mutating func advertisements(of object: Int) -> PeripheralAdvertisements {
        objects[object]?.readDevice()
        return objects[object]?.device.advertisements ?? PeripheralAdvertisements()
    }

    /// Takes in the interfaces of an object that appeared, or grew.
    package mutating func add(_ path: String, _ interfaces: Interfaces) -> [TreeChange] {
        var changes: [TreeChange] = []
        for (name, properties) in interfaces.sorted(by: { $0.key < $1.key }) {
            // The same text as that by which it is asked for is equal at a glance.
            guard let known = BlueZInterface.mirrored.index(forKey: name) else { continue }
            let interface = BlueZInterface.mirrored[known].key
            let properties = Self.held(properties, of: interface)
            let object = link(path)
            if has(interface, object) {
                changes += diff(object, path, interface, properties)
            } else {
                objects[object]?.interfaces.append((interface, properties))
                changes.append(.added(path: path, interface: interface))
            }
        }
        return changes
    }

    /// Takes interfaces off an object; one without any is forgotten.
    package mutating func remove(_ path: String, _ interfaces: [String]) -> [TreeChange] {
        guard let object = number(of: path) else { return [] }
        var changes: [TreeChange] = []
        for interface in interfaces {
            guard let place = objects[object]?.place(of: interface),
                let properties = objects[object]?.interfaces.remove(at: place).properties
            else { continue }
            if interface == BlueZInterface.device { objects[object]?.device = DeviceRecord() }
            changes.append(.removed(path: path, interface: interface, properties: properties))
        }
        if objects[object]?.interfaces.isEmpty == true { unlink(path, object) }
        return changes
    }

    /// Takes in changed properties; nil for an object that is not there.
    package mutating func change(
        _ path: String, _ interface: String, set: Properties, invalidated: [String]
    ) -> TreeChange? {
        guard let object = number(of: path), let place = objects[object]?.place(of: interface) else { return nil }
        for (name, value) in Self.held(set, of: interface) {
            objects[object]?.interfaces[place].properties[name] = value
        }
        for name in invalidated { objects[object]?.interfaces[place].properties[name] = nil }
        if interface == BlueZInterface.device { renew(object, set, without: invalidated) }
        return .changed(path: path, interface: interface, set: set, invalidated: invalidated)
    }

    /// Takes in one of the properties of a device that only packets change.
    mutating func renew(_ device: Int, _ name: String, _ value: DBusValue) {
        guard let place = objects[device]?.place(of: BlueZInterface.device) else { return }
        objects[device]?.interfaces[place].properties[name] = value
        objects[device]?.device.renew(name, value)
    }

    private mutating func renew(_ device: Int, _ set: Properties, without invalidated: [String]) {
        guard let all = objects[device]?.properties(of: BlueZInterface.device) else { return }
        objects[device]?.device.renew(set, without: invalidated, of: all)
    }

    /// Makes the mirror what a new reading says, and tells the differences: what is gone first, deepest first, then
    /// what is new or different, parents first.
    package mutating func replace(with snapshot: [String: Interfaces]) -> [TreeChange] {
        var changes: [TreeChange] = []
        for path in paths.sorted().reversed() {
            let known = number(of: path).flatMap { objects[$0]?.interfaces.map(\.name) } ?? []
            let gone = known.filter { snapshot[path]?[$0] == nil }
            changes += remove(path, gone.sorted())
        }
        for path in snapshot.keys.sorted() { changes += add(path, snapshot[path] ?? [:]) }
        return changes
    }

    private mutating func diff(
        _ object: Int, _ path: String, _ interface: String, _ new: Properties
    ) -> [TreeChange] {
        guard let place = objects[object]?.place(of: interface), let old = objects[object]?.interfaces[place].properties
        else {
            return []
        }
        let set = new.filter { old[$0.key] != $0.value }
        let invalidated = old.keys.filter { new[$0] == nil }.sorted()
        if set.isEmpty, invalidated.isEmpty { return [] }
        objects[object]?.interfaces[place].properties = new
        if interface == BlueZInterface.device { renew(object, set, without: invalidated) }
        return [.changed(path: path, interface: interface, set: set, invalidated: invalidated)]
    }

    private mutating func link(_ path: String) -> Int {
        if let known = number(of: path) { return known }
        let object = index.add(path.utf8Span.span)
        if object == objects.count { objects.append(nil) }
        objects[object] = Object(path: path)
        if let parent = BlueZPath.parent(of: path) { below[parent, default: []].insert(path) }
        return object
    }

    private mutating func unlink(_ path: String, _ object: Int) {
        objects[object] = nil
        index.remove(path.utf8Span.span)
        guard let parent = BlueZPath.parent(of: path) else { return }
        below[parent]?.remove(path)
        if below[parent]?.isEmpty == true { below[parent] = nil }
    }

    private static func held(_ properties: Properties, of interface: String) -> Properties {
        let names = BlueZInterface.mirrored[interface] ?? []
        if properties.keys.allSatisfy(names.contains) { return properties }
        return properties.filter { names.contains($0.key) }
    }
}
#endif
