// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapTesting
import WireRadio

/// A world of the conformance suite in which every far device is at the other end of a wire, on a manual clock.
actor WireWorld: ConformanceWorld {
    nonisolated let name = "wires"
    nonisolated let limits = [
        WorldLimit(.unaskedDiscovery, reason: "A device sends its database when it accepts a connection"),
        WorldLimit(.channels, reason: "The wire has no channels", error: .unsupported),
        WorldLimit(.connectionParameters, reason: "The wire has no parameters", error: .unsupported),
    ]
    nonisolated var clock: BlueCapClock { manual.clock }

    private let manual = ManualClock()
    private let backend = WireCentralBackend()
    private var central: CentralManager?
    private var devices: [Int: WireDevice] = [:]

    private let peripheralBackend = WirePeripheralBackend()
    private var peripheralManager: PeripheralManager?
    private var farCentrals: [Int: CentralManager] = [:]

    func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        let central = CentralManager(backend: backend, configuration: .init(clock: manual.clock))
        self.central = central
        return central
    }

    func peer(_ index: Int) async throws -> any ConformancePeer { device(index) }

    func device(_ index: Int) -> WireDevice {
        if let device = devices[index] { return device }
        let device = WireDevice(index: index, backend: backend)
        devices[index] = device
        return device
    }

    func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        let manager = PeripheralManager(backend: peripheralBackend, configuration: .init(clock: manual.clock))
        peripheralManager = manager
        return manager
    }

    /// A central manager of our own at the other end of a wire.
    func farCentral(_ index: Int) async throws -> any FarCentral {
        if let central = farCentrals[index] { return ManagerCentral(central) }
        let farBackend = WireCentralBackend()
        let central = CentralManager(backend: farBackend, configuration: .init(clock: manual.clock))
        farCentrals[index] = central
        let (near, far) = try Wire.makePair()
        farBackend.attach(far, as: "C0:DE:00:00:01:00")
        peripheralBackend.attach(near, as: PeerIdentifier("C0:DE:00:00:02:0\(index)"))
        return ManagerCentral(central)
    }

    func setPower(_ isOn: Bool) async throws {
        backend.setPower(isOn)
        peripheralBackend.setPower(isOn)
    }

    func elapse(_ duration: Duration) async throws {
        await manual.waitForTimer(within: duration)
        manual.advance(by: duration)
    }

    func close() async {
        await central?.invalidate()
        for device in devices.values { await device.leave() }
        await peripheralManager?.invalidate()
        for central in farCentrals.values { await central.invalidate() }
    }
}
