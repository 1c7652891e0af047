// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import BlueCapRuntime
import Testing

@Suite("The article about restoration", .timeLimit(.minutes(60)))
struct RestorationArticleTests {
    @Test func `a program that is killed goes on listening in the next one, to each device that is there`() async throws {
        try await Lab.run { lab in
            // It is connected when the first program is killed, and away when the next one begins.
            let gone = VirtualPeripheral(name: "Gone") { VirtualService(Lab.service) }
            lab.radio.add(gone)
            for isRestored in [false, true] {
                let printed = Printed()
                let ended = Printed()
                let listeners = Locked<[Notifications]>([])
                @Sendable func listen(to characteristic: Characteristic) async throws {
                    printed.add([characteristic.uuid])
                    let values = try await characteristic.notifications()
                    listeners.withLock { $0.append(values) }
                }
                func connectForTheFirstTime(_ central: BlueCapCore.CentralManager) async throws {
                    let peripheral = try await lab.connect(central)
                    let data = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
                    try await data.startNotifying()
                    _ = try await lab.connect(central, to: Lab.service)
                }
                @Sendable func end(_ peripheral: Peripheral, _ error: any Error) { ended.add([peripheral.identifier]) }
                let backend = lab.radio.central()
                func CentralManager(
                    configuration: BlueCapCore.CentralManager.Configuration
                ) -> BlueCapCore.CentralManager {
                    var configuration = configuration
                    configuration.clock = lab.radio.clock
                    return BlueCapCore.CentralManager(backend: backend, configuration: configuration)
                }

                let central = CentralManager(configuration: .init(restoreIdentifier: "com.example.gateway"))

                let restored = try await central.restoredState()
                try await central.whenPoweredOn()
                if let restored {
                    await withDiscardingTaskGroup { group in
                        for peripheral in restored.peripherals {
                            group.addTask {
                                do {
                                    try await peripheral.connect(timeout: .seconds(30))
                                    for characteristic in restored.characteristics where characteristic.peripheral === peripheral {
                                        try await listen(to: characteristic)
                                    }
                                } catch { end(peripheral, error) }
                            }
                        }
                    }
                } else {
                    try await connectForTheFirstTime(central)
                }

                #expect(printed.lines.count == (isRestored ? 1 : 0))
                #expect(ended.lines.count == (isRestored ? 1 : 0))
                try await lab.tag.wait { [data = lab.data] _ in data.subscriptionCount > 0 }
                backend.kill()
                gone.vanish()
                try await lab.radio.clock.sleep(for: .seconds(10))
                #expect(lab.data.subscriptionCount == 0)
                #expect(lab.tag.totalConnectionCount == 1)
            }
        }
    }
}
