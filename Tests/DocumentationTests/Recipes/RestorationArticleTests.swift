// What the article shows stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The article about restoration", .timeLimit(.minutes(5)))
struct RestorationArticleTests {
    @Test("a program that is killed goes on listening in the next one")
    func restoring() async throws {
        try await Lab.run { lab in
            for isRestored in [false, true] {
                let printed = Printed()
                func listen(to characteristic: Characteristic) { printed.add([characteristic.uuid]) }
                func connectForTheFirstTime(_ central: CentralManager) async throws {
                    try await central.whenPoweredOn()
                    let peripheral = try await lab.connect(central)
                    let data = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
                    try await data.startNotifying()
                }
                let BlueCap = Programs(radio: lab.radio, backend: lab.radio.central())

                var configuration = CentralManager.Configuration()
                configuration.restoreIdentifier = "com.example.gateway"
                let central = BlueCap.central(configuration: configuration)

                if let restored = try await central.restoredState() {
                    for characteristic in restored.characteristics { listen(to: characteristic) }
                } else {
                    try await connectForTheFirstTime(central)
                }

                #expect(printed.lines.count == (isRestored ? 1 : 0))
                try await central.whenPoweredOn()
                try await lab.tag.wait { [data = lab.data] _ in data.subscriptionCount > 0 }
                BlueCap.backend.kill()
                try await lab.radio.clock.sleep(for: .seconds(1))
                #expect(lab.data.subscriptionCount == 0)
                #expect(lab.tag.totalConnectionCount == 1)
            }
        }
    }
}

/// Makes a program's manager where the article's is made on the system's radio.
private struct Programs {
    let radio: VirtualRadio
    let backend: VirtualCentral

    func central(configuration: CentralManager.Configuration) -> CentralManager {
        var configuration = configuration
        configuration.clock = radio.clock
        return CentralManager(backend: backend, configuration: configuration)
    }
}
