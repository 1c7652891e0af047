// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
package import BlueCapDBus

/// A change in the mirror of BlueZ's objects; the mirror holds the new state already.
package enum TreeChange: Sendable, Equatable {
    /// An interface appeared on an object, with the properties that the mirror has now.
    case added(path: String, interface: String)
    /// An interface is gone from an object; these were its properties.
    case removed(path: String, interface: String, properties: ObjectMirror.Properties)
    /// Properties got values, maybe the same as before, or lost them.
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
/// Only interfaces and properties of ``BlueZInterface/mirrored`` are held, as they came off the bus. A characteristic's
/// or descriptor's `Value` is passed on but not held: a copy of it would only age. Each object has a number as long as
/// it is there.
package struct ObjectMirror: Sendable {
    package typealias Properties = WireProperties
    package typealias Interfaces = [String: Properties]

    private struct Object: Sendable {
        /// The number of the path above, and where it stands among those below that.
        let parent: Int
        var place: Int
        /// One or two interfaces, so that each is found by looking at all.
        var interfaces: [(name: String, properties: Properties)] = []
        /// The record of its properties as a device; read when it is asked for.
        var device = DeviceRecord()

        func index(of interface: String) -> Int? { interfaces.firstIndex { $0.name == interface } }

        func properties(of interface: String) -> Properties? { index(of: interface).map { interfaces[$0].properties } }

        mutating func sighting() -> Sighting? {
            readDevice()
            return device.sighting
        }

        /// Takes in properties of ``Device1/ofPackets``.
        mutating func renew(with packet: PropertiesChanged) -> Bool {
            guard let place = index(of: BlueZInterface.device) else { return false }
            var next = packet.next()
            while let property = next {
                packet.copy(property, into: &interfaces[place].properties)
                if device.isRead { device.renew(property, of: packet) }
                next = packet.next(after: property)
            }
            return true
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
    /// The paths above objects, which are objects themselves or not.
    private var parents = PathIndex()
    /// The objects directly below a path, by its number among the parents.
    private var below: [[Int]] = []
    /// The characteristic whose value came last; forgotten when objects come or go.
    private var latest: (fingerprint: PropertiesChanged.Fingerprint, object: Int)?
    /// Of the paths at the top, which are below nothing.
    private static let none = -1

    package init() {}

    /// A mirror of objects that were read for the first time.
    init(_ objects: [ObjectSelection.Object]) {
        for object in objects {
            for (interface, properties) in object.interfaces { put(properties, as: interface, on: object.path) }
        }
    }

    package var isEmpty: Bool { count == 0 }
    package var count: Int { index.count }
    package var paths: [String] { objects.indices.compactMap { path(of: $0) } }

    package func number(of path: String) -> Int? { index.number(of: path.utf8Span.span) }

    /// The number of an object, given the UTF-8 bytes of its path.
    package func number(of path: ArraySlice<UInt8>) -> Int? { index.number(of: path.span) }

    /// The number of the characteristic, if its value is the only change; nil for an object that is no characteristic.
    mutating func objectOfValue(_ change: PropertiesChanged) -> Int? {
        guard let object = index.number(of: change.path.span),
            objects[object]?.index(of: BlueZInterface.characteristic) != nil
        else { return nil }
        latest = change.fingerprint.map { (fingerprint: $0, object: object) }
        return object
    }

    /// The same, if the change is like the last of which it was asked: values come many in a row from one
    /// characteristic.
    ///
    /// It changes nothing, but a function that is not `mutating` runs on a copy of the mirror.
    mutating func objectOfValue(like change: PropertiesChanged) -> Int? {
        guard let latest, latest.fingerprint == change.fingerprint else { return nil }
        return latest.object
    }

    /// The path of an object; nil for a number that no object has.
    package func path(of object: Int) -> String? { index.path(of: object) }

    package func has(_ interface: String, _ object: Int) -> Bool { objects[object]?.index(of: interface) != nil }

    /// The properties of an interface on an object.
    package subscript(path: String, interface: String) -> Properties? {
        number(of: path).flatMap { objects[$0]?.properties(of: interface) }
    }

    /// The paths of the objects directly below one, in order.
    package func children(of path: String, with interface: String) -> [String] {
        guard let parent = parents.number(of: path.utf8Span.span) else { return [] }
        return below[parent].compactMap { has(interface, $0) ? self.path(of: $0) : nil }.sorted()
    }

    /// The paths of the devices below an adapter, in order, of which there is more to know than that they are there:
    /// they have keys, or another address than their path says.
    func notableDevices(below adapter: String) -> [String] {
        guard let parent = parents.number(of: adapter.utf8Span.span) else { return [] }
        return below[parent].compactMap { object in
            guard let properties = objects[object]?.properties(of: BlueZInterface.device), let path = path(of: object)
            else { return nil }
            let facts = DeviceFacts(properties)
            return facts.isBonded || !facts.hasAddress(of: path) ? path : nil
        }.sorted()
    }

    /// Whether a device below an adapter is connected, besides some.
    func hasConnectedDevice(below adapter: String, besides others: Set<String> = []) -> Bool {
        guard let parent = parents.number(of: adapter.utf8Span.span) else { return false }
        return below[parent].contains { object in
            objects[object]?.properties(of: BlueZInterface.device)?[Device1.connected] == true
                && path(of: object).map(others.contains) != true
        }
    }

    /// The paths of all objects with an interface, in order.
    package func paths(with interface: String) -> [String] {
        objects.indices.compactMap { has(interface, $0) ? path(of: $0) : nil }.sorted()
    }

    /// The sighting from a device's properties, with the path of its adapter; nil for an object that is no device, and
    /// for one that no running discovery has received.
    mutating func sighting(of object: Int) -> (adapter: String, sighting: Sighting)? {
        // Where it stands, without a copy of the record.
        guard let parent = objects[object]?.parent, let adapter = parents.path(of: parent),
            let sighting = objects[object]?.sighting() ?? nil
        else { return nil }
        return (adapter, sighting)
    }

    /// The advertisements of a device; empty for an object that is no device.
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
            if let object = number(of: path), has(interface, object) {
                changes += diff(object, path, interface, properties)
            } else {
                put(properties, as: interface, on: path)
                changes.append(.added(path: path, interface: interface))
            }
        }
        return changes
    }

    /// Takes interfaces off an object; one without any is forgotten.
    package mutating func remove(_ path: String, _ interfaces: [String]) -> [TreeChange] {
        guard let object = number(of: path) else { return [] }
        latest = nil
        var changes: [TreeChange] = []
        for interface in interfaces {
            guard let place = objects[object]?.index(of: interface),
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
        guard let object = number(of: path), let place = objects[object]?.index(of: interface) else { return nil }
        objects[object]?.interfaces[place].properties.take(Self.held(set, of: interface))
        for name in invalidated { objects[object]?.interfaces[place].properties.remove(name) }
        if interface == BlueZInterface.device { renew(object, set, without: invalidated) }
        return .changed(path: path, interface: interface, set: set, invalidated: invalidated)
    }

    /// Takes in the changes of a device's packet; returns its number, or nil for an object that is no device.
    mutating func renew(with packet: PropertiesChanged) -> Int? {
        // Where it stands, without a copy of the record.
        guard let object = index.number(of: packet.path.span), objects[object]?.renew(with: packet) == true else {
            return nil
        }
        return object
    }

    private mutating func renew(_ device: Int, _ set: Properties, without invalidated: [String]) {
        guard let all = objects[device]?.properties(of: BlueZInterface.device) else { return }
        objects[device]?.device.renew(set, without: invalidated, of: all)
    }

    /// Makes the mirror equal to a new reading, and returns the differences: removed interfaces first, deepest first,
    /// then new or different ones, parents first.
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

    private mutating func diff(_ object: Int, _ path: String, _ interface: String, _ new: Properties) -> [TreeChange] {
        guard let place = objects[object]?.index(of: interface), let old = objects[object]?.interfaces[place].properties
        else { return [] }
        let (set, invalidated) = new.changes(since: old)
        if set.isEmpty, invalidated.isEmpty { return [] }
        objects[object]?.interfaces[place].properties = new
        if interface == BlueZInterface.device { renew(object, set, without: invalidated) }
        return [.changed(path: path, interface: interface, set: set, invalidated: invalidated)]
    }

    /// Gives an object an interface, whatever it had before.
    private mutating func put(_ properties: Properties, as interface: String, on path: String) {
        latest = nil
        let object = link(path)
        if let place = objects[object]?.index(of: interface) {
            objects[object]?.interfaces[place].properties = properties
        } else {
            objects[object]?.interfaces.append((interface, properties))
        }
    }

    private mutating func link(_ path: String) -> Int {
        if let known = number(of: path) { return known }
        let object = index.add(path)
        if object == objects.count { objects.append(nil) }
        var (parent, place) = (Self.none, 0)
        if let above = BlueZPath.parent(of: path) {
            parent = parents.add(above)
            if parent == below.count { below.append([]) }
            place = below[parent].count
            below[parent].append(object)
        }
        objects[object] = Object(parent: parent, place: place)
        return object
    }

    private mutating func unlink(_ path: String, _ object: Int) {
        index.remove(path.utf8Span.span)
        guard let gone = objects[object].take(), gone.parent != Self.none else { return }
        // The last object beside it takes its place.
        if let last = below[gone.parent].popLast(), last != object {
            below[gone.parent][gone.place] = last
            objects[last]?.place = gone.place
        }
        if below[gone.parent].isEmpty, let above = parents.path(of: gone.parent) { parents.remove(above.utf8Span.span) }
    }

    private static func held(_ properties: Properties, of interface: String) -> Properties {
        let names = BlueZInterface.mirrored[interface] ?? []
        return properties.filter { names.contains($0) }
    }
}
#endif
