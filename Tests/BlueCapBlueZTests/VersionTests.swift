// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapDBus
import Testing

struct VersionTests {
    @Test(arguments: [
        ("usb:v1D6Bp0246d0557", BlueZVersion(5, 87)), ("usb:v1D6Bp0246d0542", BlueZVersion(5, 66)),
        ("usb:v1D6Bp0246d0600", BlueZVersion(6, 0)), ("usb:v1D6Bp0246d05ff", BlueZVersion(5, 255)),
    ])
    func `the version is read from BlueZ's own device identification`(modalias: String, version: BlueZVersion) {
        #expect(BlueZVersion(modalias: modalias) == version)
    }

    @Test(arguments: [
        "", "usb:v1D6Bp0246d", "usb:v1D6Bp0246d055", "usb:v1D6Bp0246d05577", "usb:v1D6Bp0246d05+7",
        "usb:v1D6Bp0246d05５7", "usb:v05ACp0246d0557", "bluetooth:v1D6Bp0246d0557",
    ])
    func `an identification that is not BlueZ's own, or is malformed, gives no version`(modalias: String) {
        #expect(BlueZVersion(modalias: modalias) == nil)
    }

    @Test func `versions are ordered by number and not by text`() {
        #expect(BlueZVersion(5, 66) < BlueZVersion(5, 82))
        #expect(BlueZVersion(5, 99) < BlueZVersion(5, 100))
        #expect(BlueZVersion(5, 255) < BlueZVersion(6, 0))
        #expect("\(BlueZVersion(5, 87))" == "5.87")
    }

    @Test func `an adapter without an identification, and one that is not there, give no version`() {
        var tree = ObjectMirror()
        #expect(tree.version(ofAdapter: "/org/bluez/hci0") == nil)
        _ = tree.add("/org/bluez/hci0", [BlueZInterface.adapter: [:]])
        #expect(tree.version(ofAdapter: "/org/bluez/hci0") == nil)
        _ = tree.add(
            "/org/bluez/hci0", [BlueZInterface.adapter: ["Modalias": .string("usb:v1D6Bp0246d0557")]])
        #expect(tree.version(ofAdapter: "/org/bluez/hci0") == BlueZVersion(5, 87))
    }
}
#endif
