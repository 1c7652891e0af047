// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The article about restoration", .timeLimit(.minutes(60)))
struct RestorationArticleTests {
    @Test func `a program that is killed goes on listening in the next one`() async throws {
        try await Lab.run { lab in
            for isRestored in [false, true] {
                let printed = Printed()
                func listen(to characteristic: Characteristic) async throws {
                    printed.add([characteristic.uuid])
                    _ = try await characteristic.notifications()
                }
                func connectForTheFirstTime(_ central: BlueCapCore.CentralManager) async throws {
                    let peripheral = try await lab.connect(central)
                    let data = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
                    try await data.startNotifying()
                }
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
                    for peripheral in restored.peripherals { try await peripheral.connect(timeout: .seconds(30)) }
                    for characteristic in restored.characteristics { try await listen(to: characteristic) }
                } else {
                    try await connectForTheFirstTime(central)
                }

                #expect(printed.lines.count == (isRestored ? 1 : 0))
                try await lab.tag.wait { [data = lab.data] _ in data.subscriptionCount > 0 }
                backend.kill()
                try await lab.radio.clock.sleep(for: .seconds(1))
                #expect(lab.data.subscriptionCount == 0)
                #expect(lab.tag.totalConnectionCount == 1)
            }
        }
    }
}
