// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import Testing

struct PeripheralLimitsTests {
    private static let adapter = "/org/bluez/hci0"

    private static func limits(
        _ manager: ObjectMirror.Properties?, modalias: String? = nil
    ) -> PeripheralLimits {
        var tree = ObjectMirror()
        if let modalias { _ = tree.add(adapter, [BlueZInterface.adapter: ["Modalias": .string(modalias)]]) }
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

    @Test(arguments: [(nil, 251), ("usb:v1D6Bp0246d0542", 31), ("usb:v1D6Bp0246d0552", 251)] as [(String?, Int)])
    func `extended advertising is as long as the controller says, where the daemon sends that`(
        _ modalias: String?, _ length: Int
    ) {
        let limits = Self.limits(
            [
                "SupportedCapabilities": .properties(["MaxAdvLen": .byte(251), "MaxScnRspLen": .byte(251)]),
                "SupportedSecondaryChannels": .strings(["1M", "2M", "Other"]),
            ], modalias: modalias)
        #expect(limits.packetLength == length)
        #expect(limits.secondaryPHYs == [.le1M, .le2M])
    }

    @Test func `a daemon that shows no capabilities ignores intervals and power`() {
        let limits = Self.limits(["ActiveInstances": .byte(1), "SupportedInstances": .byte(3)])
        #expect(limits.instances == 4)
        #expect(!limits.hasIntervals && !limits.hasTxPower)
    }
}
#endif
