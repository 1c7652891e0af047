// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The objects that stand for a peripheral's attributes in one connection, and their numbers.
struct ObjectTable<Object: AnyObject> {
    /// An object keeps its entry for as long as the entry is here, so that its identity is not given to another.
    private struct Entry {
        let id: AttributeID
        let object: Object
    }

    private let numbers: AttributeNumbers
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var objects: [AttributeID: Object] = [:]

    /// Creates a table without objects.
    init(_ numbers: AttributeNumbers) { self.numbers = numbers }

    /// The object of a number; nil if there is none in this connection.
    subscript(id: AttributeID) -> Object? { objects[id] }

    /// The number of an object; nil for one that was not listed in this connection, or was forgotten.
    func id(of object: Object) -> AttributeID? { entries[ObjectIdentifier(object)]?.id }

    /// The numbers of the objects that pass a test.
    func ids(where isWanted: (Object) -> Bool) -> Set<AttributeID> { Set(objects.filter { isWanted($0.value) }.keys) }

    /// Forgets the objects of services, and of all that is in them; their numbers stay (D3).
    mutating func forgetObjects(of services: Set<AttributeID>) {
        entries = entries.filter { !services.contains(AttributeNumbers.service(of: $0.value.id)) }
        objects = objects.filter { !services.contains(AttributeNumbers.service(of: $0.key)) }
    }

    /// Numbers the objects that CoreBluetooth lists below one parent, in the order of the list.
    ///
    /// An object that is known keeps its number. Another one takes the first number of its UUID that no listed object
    /// has: objects that the platform has made anew stand for the same attributes.
    ///
    /// - Parameters:
    ///   - list: All objects that are listed, with their UUIDs.
    ///   - kind: Their relation to the parent.
    ///   - parent: The number of the parent; nil for the services of the peripheral.
    /// - Returns: The numbers, in the order of the list; nil for an object for which there is no room.
    mutating func number(
        _ list: [(object: Object, uuid: BluetoothUUID)], as kind: AttributeNumbers.Kind, in parent: AttributeID?
    ) -> [AttributeID?] {
        var taken = Set(list.compactMap { id(of: $0.object) })
        var next: [BluetoothUUID: Int] = [:]
        return list.map { object, uuid in
            if let known = id(of: object) { return known }
            let series = AttributeNumbers.Series(kind: kind, parent: parent, uuid: uuid)
            var ordinal = next[uuid, default: 0]
            defer { next[uuid] = ordinal }
            while let id = numbers.number(series, ordinal) {
                ordinal += 1
                if taken.insert(id).inserted {
                    bind(object, to: id)
                    return id
                }
            }
            return nil
        }
    }

    /// Numbers a service that another one includes.
    ///
    /// A primary service is one of the peripheral's services too, so it has the number of that one, unless an object of
    /// the same UUID has it. Any other is named by the service that includes it.
    ///
    /// - Returns: The number; nil if there is no room.
    mutating func numberIncluded(
        _ list: [(object: Object, uuid: BluetoothUUID, isPrimary: Bool)], in parent: AttributeID
    ) -> [AttributeID?] {
        for (object, uuid, isPrimary) in list where isPrimary && id(of: object) == nil {
            let series = AttributeNumbers.Series(kind: .service, parent: nil, uuid: uuid)
            guard let id = numbers.number(series, 0), objects[id] == nil else { continue }
            bind(object, to: id)
        }
        return number(list.map { ($0.object, $0.uuid) }, as: .includedService, in: parent)
    }

    private mutating func bind(_ object: Object, to id: AttributeID) {
        entries[ObjectIdentifier(object)] = Entry(id: id, object: object)
        objects[id] = object
    }
}
