#if BlueZ && os(Linux)
import BlueCapBlueZ
import Testing

struct PathTests {
    @Test("adapter numbers of several digits are read")
    func adapterIndex() {
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci12/dev_00_00_00_00_00_00") == 12)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/other/hci0") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci-1") == nil)
        #expect(BlueZPath.adapterIndex(of: "/org/bluez/hci") == nil)
    }

    @Test("the device of an attribute is found under its own adapter only")
    func device() {
        let device = "/org/bluez/hci1/dev_C0_00_00_00_00_01"
        #expect(BlueZPath.device(of: device + "/service0010/char0011", adapter: "/org/bluez/hci1") == device)
        #expect(BlueZPath.device(of: device, adapter: "/org/bluez/hci1") == device)
        #expect(BlueZPath.device(of: "/org/bluez/hci12/dev_C0_00_00_00_00_01", adapter: "/org/bluez/hci1") == nil)
        #expect(BlueZPath.device(of: "/org/bluez/hci1", adapter: "/org/bluez/hci1") == nil)
    }

    @Test(
        "a path's number is the attribute's handle",
        arguments: [
            ("/a/service0010", 0x10), ("/a/service0010/charffff", 0xFFFF), ("/a/char0011/desc0013", 0x13),
            ("/a/service10", nil), ("/a/char00zz", nil), ("/a/char+123", nil), ("/a/dev_C0", nil), ("/", nil),
        ] as [(String, UInt16?)])
    func attribute(path: String, handle: UInt16?) {
        #expect(BlueZPath.attribute(of: path) == handle)
    }

    @Test("the parent of a first element is the root, which has none")
    func parent() {
        #expect(BlueZPath.parent(of: "/org/bluez") == "/org")
        #expect(BlueZPath.parent(of: "/org") == "/")
        #expect(BlueZPath.parent(of: "/") == nil)
    }
}
#endif
