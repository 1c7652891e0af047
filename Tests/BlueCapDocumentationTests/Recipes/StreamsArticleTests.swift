// SPDX-License-Identifier: MIT

// What the article shows stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The article about streams", .timeLimit(.minutes(5)))
struct StreamsArticleTests {
    @Test func `takes values on the radio's own thread`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func show(_ value: Bytes) { printed.add([value]) }
            let central = try await lab.central()
            let peripheral = try await lab.connect(central)
            async let ended: Void = lab.endAfterSubscription()
            await #expect(throws: CharacteristicError.disconnected) {
                let characteristic = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
                try await central.run {
                    for try await value in try await characteristic.notifications() {
                        show(value)
                    }
                }
            }
            try await ended
            #expect(printed.lines.count == 3)
        }
    }
}
