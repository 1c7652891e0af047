// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import Testing

struct PathTests {
    @Test func `adapter numbers of several digits are read`() {
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci12/dev_00_00_00_00_00_00") == 12)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/other/hci0") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci-1") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci0x") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci99999999999999999999") == nil)
    }

    @Test func `the device of an attribute is found under its own adapter only`() {
        let device = "/org/bluez/hci1/dev_C0_00_00_00_00_01"
        #expect(BlueZPath.device(of: device + "/service0010/char0011", adapter: "/org/bluez/hci1") == device)
        #expect(BlueZPath.device(of: device, adapter: "/org/bluez/hci1") == device)
        #expect(BlueZPath.device(of: "/org/bluez/hci12/dev_C0_00_00_00_00_01", adapter: "/org/bluez/hci1") == nil)
        #expect(BlueZPath.device(of: "/org/bluez/hci1", adapter: "/org/bluez/hci1") == nil)
        #expect(BlueZPath.device(of: "/org/bluez/hci1/dev", adapter: "/org/bluez/hci1") == nil)
        #expect(BlueZPath.device(of: "", adapter: "/org/bluez/hci1") == nil)
        #expect(BlueZPath.device(of: device + "/", adapter: "/org/bluez/hci1") == device)
    }

    @Test(
        arguments: [
            ("/a/service0010", 0x10), ("/a/service0010/charffff", 0xFFFF), ("/a/char0011/desc0013", 0x13),
            ("/a/service10", nil), ("/a/char00zz", nil), ("/a/char+123", nil), ("/a/dev_C0", nil), ("/", nil),
            ("/a/char-123", nil), ("/a/charé11", nil), ("/a/char", nil), ("char0011", 0x11), ("", nil),
            ("/a/char0011/", nil), ("/a/character0011", nil),
        ] as [(String, UInt16?)])
    func `a path's number is the attribute's handle`(path: String, handle: UInt16?) {
        #expect(BlueZPath.attribute(of: path) == handle)
    }

    @Test(
        arguments: [
            ("/org/bluez/hci0/dev_C0_DE_00_00_01_01", "C0:DE:00:00:01:01"),
            ("dev_c0_de_00_00_01_01", "C0:DE:00:00:01:01"),
            ("/org/bluez/hci0/dev_C0_DE_00_00_01_0", nil), ("/org/bluez/hci0/dev_C0_DE_00_00_01_011", nil),
            ("/org/bluez/hci0/dev_C0_DE_00_00_01_01/service0010", nil), ("/org/bluez/hci0", nil), ("", nil),
        ] as [(String, PeerIdentifier?)])
    func `the address in a device's path is read, and in no other path`(path: String, address: PeerIdentifier?) {
        #expect(BlueZPath.address(of: path) == address)
    }

    @Test func `a path that ends in a slash has an empty name, and one without a slash is its own`() {
        #expect(BlueZPath.name(of: "/org/bluez/") == "")
        #expect(BlueZPath.name(of: "bluez") == "bluez")
        #expect(BlueZPath.name(of: "") == "")
        #expect(BlueZPath.parent(of: "bluez") == nil)
        #expect(BlueZPath.parent(of: "") == nil)
    }

    @Test func `the parent of a first element is the root, which has none`() {
        #expect(BlueZPath.parent(of: "/org/bluez") == "/org")
        #expect(BlueZPath.parent(of: "/org") == "/")
        #expect(BlueZPath.parent(of: "/") == nil)
    }
}
#endif
