// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapPlatform
package import BlueCapTesting

/// The far devices by their index, and the tests that wait for a change of them; on the fake's thread only.
package final class FakeAir {
    private var devices: [Int: FarDevice] = [:]
    private var lastAddress = 0
    private var waiters: [(isMet: () -> Bool, resume: () -> Void)] = []
    /// Called whenever a device advertises, changes or vanishes.
    var onChange: (FarDevice) -> Void = { _ in }

    /// The devices that there are.
    var all: [FarDevice] { devices.sorted { $0.key < $1.key }.map(\.value) }

    /// Replaces the device at an index by a new one.
    package func configure(
        _ index: Int, _ twin: Twin, pairing: PeerPairing = PeerPairing()
    ) -> PeerIdentifier {
        lastAddress += 1
        let suffix = String(lastAddress, radix: 16, uppercase: true)
        let address =
            twin.address ?? PeerIdentifier("C0:FF:EE:00:00:\(suffix.count < 2 ? "0" : "")\(suffix)")
        devices[index]?.retire()
        devices[index] = FarDevice(twin, pairing: pairing, address: address, air: self)
        return address
    }

    /// The device with an index.
    package func device(_ index: Int) throws -> FarDevice {
        guard let device = devices[index] else { throw FakeError.unknown("device \(index)") }
        return device
    }

    /// The device with an address.
    func device(at address: PeerIdentifier) -> FarDevice? { devices.values.first { $0.address == address } }

    /// A program opens a channel to a device. The kernel would make a link where there is none, which is not played.
    func open(_ channel: FakeChannel) {
        guard let device = device(at: PeerIdentifier(channel.peer.text)), device.isConnected else {
            return channel.refuse(EHOSTUNREACH)
        }
        device.channels.take(channel)
    }

    /// Calls `resume` once `isMet`, which is asked again after every change.
    package func wait(until isMet: @escaping () -> Bool, resume: @escaping () -> Void) {
        if isMet() { return resume() }
        waiters.append((isMet, resume))
    }

    /// Called after each change of a device.
    func changed(_ device: FarDevice) {
        onChange(device)
        let met = waiters.filter { $0.isMet() }
        waiters.removeAll { $0.isMet() }
        for waiter in met { waiter.resume() }
    }
}
#endif
