// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapDBus
import Testing

struct PeripheralLimitsTests {
    private static let adapter = "/org/bluez/hci0"

    private static func limits(_ manager: ObjectMirror.Properties?) -> PeripheralLimits {
        var tree = ObjectMirror()
        if let manager { _ = tree.add(adapter, [BlueZInterface.advertisingManager: manager]) }
        var limits = PeripheralLimits()
        limits.read(tree, adapter: adapter)
        return limits
    }

    @Test func `an adapter without a manager of advertisements keeps the limits of one packet`() {
        let limits = Self.limits(nil)
        #expect(limits.packetLength == 31 && limits.responseLength == 31 && limits.instances == 1)
        #expect(limits.hasIntervals && limits.hasTxPower)
    }

    @Test func `a daemon that shows no capabilities ignores intervals and power`() {
        let limits = Self.limits(["ActiveInstances": .byte(1), "SupportedInstances": .byte(3)])
        #expect(limits.instances == 4)
        #expect(!limits.hasIntervals && !limits.hasTxPower)
    }
}
#endif
