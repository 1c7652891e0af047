// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapVirtual

@Suite("What a virtual peripheral leaves behind", .timeLimit(.minutes(60)))
struct LifetimeTests {
    /// Weak references to all objects of one peripheral.
    private struct Traces {
        weak var peripheral: VirtualPeripheral?
        weak var characteristic: VirtualCharacteristic?
        weak var node: Confined<PeripheralNode>?
        weak var state: PeripheralNode?

        init(_ peripheral: VirtualPeripheral) {
            self.peripheral = peripheral
            characteristic = peripheral.characteristic("FFF1")
            node = peripheral.node
            state = node?.with { $0 }
        }

        var isGone: Bool { peripheral == nil && characteristic == nil && node == nil && state == nil }
    }

    private static func peripheral() -> VirtualPeripheral {
        VirtualPeripheral(name: "Tag") {
            VirtualService("FFF0") { VirtualCharacteristic("FFF1", properties: [.read, .notify], value: [1]) }
        }
    }

    @Test
    func `nothing once it was taken away and let go, after connections, waits and held requests`() async throws {
        try await VirtualRadio.run { radio in
            let recorder = await Recorder.on(radio.central())
            let traces: Traces
            do {
                let peripheral = Self.peripheral()
                radio.add(peripheral)
                traces = Traces(peripheral)
                #expect(traces.state != nil)
                let found = try await recorder.open(peripheral)
                peripheral.characteristic("FFF1")?.hold(.read)
                _ = await recorder.begin(.read(peripheral.identifier, found.characteristic("FFF1")))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await peripheral.wait { $0.connectionCount == 7 } }
                    try await peripheral.wait { $0.characteristic("FFF1")?.heldCount(.read) == 1 }
                    group.cancelAll()
                }
                radio.remove(peripheral)
                _ = await recorder.disconnection(of: peripheral.identifier)
            }
            try await radio.clock.sleep(for: .seconds(60))
            #expect(traces.isGone)
        }
    }

    @Test func `nothing once its radio is gone, though it was never taken away`() async throws {
        let traces = try await VirtualRadio.run { radio in
            let peripheral = Self.peripheral()
            radio.add(peripheral)
            return Locked(Traces(peripheral))
        }
        // The radio's thread holds the last reference.
        while !Task.isCancelled, !traces.withLock({ $0.isGone }) { await Task.yield() }
        #expect(traces.withLock { $0.isGone })
    }
}
