// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapDBus
import Testing

struct ObjectTreeTests {
    private let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
    private let device = BlueZInterface.device

    private func tree(_ properties: ObjectMirror.Properties) -> ObjectMirror {
        var tree = ObjectMirror()
        _ = tree.add(path, [device: properties])
        return tree
    }

    @Test func `set and invalidated properties are both taken in`() {
        var tree = tree(["RSSI": .int16(-40), "Name": .string("A")])
        let change = tree.change(path, device, set: ["Name": .string("B")], invalidated: ["RSSI"])
        #expect(tree[path, device] == ["Name": .string("B")])
        #expect(change == .changed(path: path, interface: device, set: ["Name": .string("B")], invalidated: ["RSSI"]))
    }

    @Test func `a change of an object that was not announced is refused`() {
        var tree = ObjectMirror()
        #expect(tree.change(path, device, set: ["Name": .string("B")], invalidated: []) == nil)
        #expect(tree.isEmpty)
    }

    @Test
    func `an object that loses its last interface is forgotten, with its place under its parent`() {
        var tree = tree([:])
        #expect(tree.children(of: "/org/bluez/hci0", with: device) == [path])
        let changes = tree.remove(path, [device, "org.bluez.Unknown1"])
        #expect(changes == [.removed(path: path, interface: device, properties: [:])])
        #expect(tree.isEmpty)
        #expect(tree.children(of: "/org/bluez/hci0", with: device) == [])
    }

    @Test func `interfaces that nobody looks at are not held`() {
        var tree = ObjectMirror()
        #expect(tree.add(path, ["org.bluez.MediaControl1": ["Connected": .bool(true)]]) == [])
        #expect(tree.isEmpty)
    }

    @Test func `properties that are never read are passed on but not held`() {
        var tree = tree(["Name": .string("A"), "Icon": .string("phone")])
        #expect(tree[path, device] == ["Name": .string("A")])
        let change = tree.change(path, device, set: ["Icon": .string("lamp")], invalidated: [])
        #expect(change == .changed(path: path, interface: device, set: ["Icon": .string("lamp")], invalidated: []))
        #expect(tree.replace(with: [path: [device: ["Name": .string("A"), "Icon": .string("computer")]]]) == [])
    }

    @Test func `values of characteristics are passed on but not held`() {
        let characteristic = BlueZInterface.characteristic
        var tree = ObjectMirror()
        _ = tree.add(path, [characteristic: ["UUID": .string("2a37"), "Value": .bytes([1])]])
        let change = tree.change(path, characteristic, set: ["Value": .bytes([2])], invalidated: [])
        #expect(
            change == .changed(path: path, interface: characteristic, set: ["Value": .bytes([2])], invalidated: []))
        #expect(tree[path, characteristic] == ["UUID": .string("2a37")])
    }

    @Test
    func `a new reading tells what is gone, children first, what changed, and what is new, parents first`() {
        var tree = tree(["Name": .string("A"), "RSSI": .int16(-40)])
        let service = path + "/service0010"
        _ = tree.add(service, [BlueZInterface.service: [:]])
        _ = tree.add(service + "/char0011", [BlueZInterface.characteristic: [:]])
        let other = path + "/service0020"
        let changes = tree.replace(with: [
            path: [device: ["Name": .string("B")]],
            other: [BlueZInterface.service: [:]],
            other + "/char0021": [BlueZInterface.characteristic: [:]],
        ])
        #expect(
            changes == [
                .removed(path: service + "/char0011", interface: BlueZInterface.characteristic, properties: [:]),
                .removed(path: service, interface: BlueZInterface.service, properties: [:]),
                .changed(path: path, interface: device, set: ["Name": .string("B")], invalidated: ["RSSI"]),
                .added(path: other, interface: BlueZInterface.service),
                .added(path: other + "/char0021", interface: BlueZInterface.characteristic),
            ])
    }

    @Test func `the same reading again tells nothing`() {
        var tree = tree(["Name": .string("A")])
        #expect(tree.replace(with: [path: [device: ["Name": .string("A")]]]) == [])
    }
}
#endif
