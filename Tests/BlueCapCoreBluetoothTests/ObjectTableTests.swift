// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCoreBluetooth

struct ObjectTableTests {
    /// Stands for one of CoreBluetooth's objects, which are told apart by identity alone.
    private final class Object {}

    private func list(_ uuids: BluetoothUUID...) -> [(object: Object, uuid: BluetoothUUID)] {
        uuids.map { (Object(), $0) }
    }

    @Test func `numbers ascend in the order of the list, and leave room for what is inside`() {
        var table = ObjectTable<Object>(AttributeNumbers())
        let services = table.number(list("180F", "180D"), as: .service, in: nil).compactMap { $0 }
        let characteristics = table.number(list("2A19", "2A1A"), as: .characteristic, in: services[0])
        let descriptors = table.number(list("2901", "2902"), as: .descriptor, in: characteristics[0])
        let all = [services[0], characteristics[0], descriptors[0], descriptors[1], characteristics[1], services[1]]
        #expect(all.compactMap { $0 }.count == 6)
        #expect(all.compactMap { $0 } == all.compactMap { $0 }.sorted())
        #expect(Set(all).count == 6)
    }

    @Test func `the numbers are the same in the next connection, whose objects are new`() {
        let numbers = AttributeNumbers()
        var first = ObjectTable<Object>(numbers)
        let before = first.number(list("180F", "180D", "180F"), as: .service, in: nil)
        var second = ObjectTable<Object>(numbers)
        #expect(second.number(list("180F", "180D", "180F"), as: .service, in: nil) == before)
    }

    @Test func `attributes with one UUID are told apart by their places`() {
        var table = ObjectTable<Object>(AttributeNumbers())
        let ids = table.number(list("180F", "180F"), as: .service, in: nil)
        #expect(ids[0] != ids[1])
    }

    @Test func `an object that is listed again keeps its number when others come before it`() {
        var table = ObjectTable<Object>(AttributeNumbers())
        let known = Object()
        let before = table.number([(known, "180F")], as: .service, in: nil)
        let after = table.number([(Object(), "180F"), (known, "180F")], as: .service, in: nil)
        #expect(after[1] == before[0])
        #expect(after[0] != before[0])
    }

    @Test func `objects that are made anew in a connection take the numbers of those that are listed no longer`() {
        var table = ObjectTable<Object>(AttributeNumbers())
        let before = table.number(list("180F", "180F"), as: .service, in: nil)
        let new = list("180F", "180F")
        #expect(table.number(new, as: .service, in: nil) == before)
        #expect(before[0].flatMap { table[$0] } === new[0].object)
    }

    @Test func `forgotten objects have no number, and a number without an object has none`() {
        var table = ObjectTable<Object>(AttributeNumbers())
        let object = Object()
        let id = table.number([(object, "180F")], as: .service, in: nil)[0]
        table.forgetObjects(of: Set([id].compactMap { $0 }))
        #expect(table.id(of: object) == nil)
        #expect(id.flatMap { table[$0] } == nil)
        #expect(table.number([(Object(), "180F")], as: .service, in: nil)[0] == id)
    }

    @Test func `the objects of a service are forgotten with all that is in it, and no others`() throws {
        var table = ObjectTable<Object>(AttributeNumbers())
        let services = list("180D", "180F")
        let ids = table.number(services, as: .service, in: nil).compactMap { $0 }
        let (inner, others) = (list("2A37", "2A38"), list("2A19"))
        let inside = table.number(inner, as: .characteristic, in: ids[0]).compactMap { $0 }
        let descriptors = table.number(list("2902"), as: .descriptor, in: inside[1]).compactMap { $0 }
        let beside = table.number(others, as: .characteristic, in: ids[1]).compactMap { $0 }
        table.forgetObjects(of: [ids[0]])
        for id in [ids[0]] + inside + descriptors { #expect(table[id] == nil) }
        #expect(table.id(of: inner[0].object) == nil)
        #expect(table.ids { _ in true } == Set([ids[1]] + beside))
        #expect(table.id(of: others[0].object) == beside[0])
    }

    @Test func `an included primary service has the number of the peripheral's service`() throws {
        var table = ObjectTable<Object>(AttributeNumbers())
        let outer = try #require(table.number(list("180D"), as: .service, in: nil)[0])
        let included = table.numberIncluded([(Object(), "180F", true)], in: outer)
        let listed = table.number(list("180D", "180F"), as: .service, in: nil)
        #expect(included[0] == listed[1])
    }

    @Test func `two included primary services of one UUID are two`() throws {
        var table = ObjectTable<Object>(AttributeNumbers())
        let outer = table.number(list("180D", "1810"), as: .service, in: nil).compactMap { $0 }
        let first = table.numberIncluded([(Object(), "180F", true)], in: outer[0])
        let second = table.numberIncluded([(Object(), "180F", true)], in: outer[1])
        #expect(first[0] != nil && second[0] != nil && first[0] != second[0])
    }

    @Test func `a service with more characteristics than there is room for loses the last ones`() throws {
        var table = ObjectTable<Object>(AttributeNumbers())
        let services = table.number(list("180D", "180F"), as: .service, in: nil).compactMap { $0 }
        let many = (0..<3_000).map { _ in (object: Object(), uuid: "2A19" as BluetoothUUID) }
        let ids = table.number(many, as: .characteristic, in: services[0]).compactMap { $0 }
        #expect(ids.count == 2_047)
        #expect(try #require(ids.last) < services[1])
    }

    @Test func `five thousand services of one UUID have numbers of their own`() {
        var table = ObjectTable<Object>(AttributeNumbers())
        let many = (0..<5_000).map { _ in (object: Object(), uuid: "180F" as BluetoothUUID) }
        #expect(Set(table.number(many, as: .service, in: nil).compactMap { $0 }).count == 5_000)
    }
}
