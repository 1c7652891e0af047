// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapDBus
import Testing

struct DiscoveriesTests {
    private static let adapter = "/org/bluez/hci0"
    private static let interface = BlueZInterface.adapter

    private static func tree(isOn: Bool) -> ObjectMirror {
        var tree = ObjectMirror()
        _ = tree.add(adapter, [interface: ["Powered": .bool(isOn)]])
        return tree
    }

    @Test(arguments: [(true, false), (false, true)])
    func `an adapter had an outage when this process came, unless it was on`(isOn: Bool, hadOutage: Bool) {
        var discoveries = Discoveries()
        discoveries.daemonCame(with: Self.tree(isOn: isOn))
        #expect(discoveries.hadOutage(Self.adapter) == hadOutage)
    }

    @Test func `a daemon that came again has cost every adapter its power, the next reading of its objects none`() {
        var discoveries = Discoveries()
        discoveries.daemonLeft()
        discoveries.daemonCame(with: Self.tree(isOn: true))
        #expect(discoveries.hadOutage(Self.adapter))
        discoveries.endOutage(of: Self.adapter)
        discoveries.daemonCame(with: Self.tree(isOn: true))
        #expect(!discoveries.hadOutage(Self.adapter))
    }

    @Test func `an adapter that goes off, or is plugged in, has an outage; one that is gone has none`() {
        var discoveries = Discoveries()
        let off = TreeChange.changed(
            path: Self.adapter, interface: Self.interface, set: ["Powered": .bool(false)], invalidated: [])
        discoveries.treeChanged(off)
        #expect(discoveries.hadOutage(Self.adapter))
        discoveries.treeChanged(.removed(path: Self.adapter, interface: Self.interface, properties: [:]))
        #expect(!discoveries.hadOutage(Self.adapter))
        discoveries.treeChanged(.added(path: Self.adapter, interface: Self.interface))
        #expect(discoveries.hadOutage(Self.adapter))
    }
}
#endif
