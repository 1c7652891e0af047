// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The article about streams", .timeLimit(.minutes(60)))
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

    @Test func `goes on with the texts after a connection was lost`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func show(_ values: [String: String]) { printed.add([values.count]) }
            let central = lab.makeCentral(profiles: .sensorTag)
            try await central.whenPoweredOn()
            let peripheral = try await lab.connect(central)
            peripheral.reconnectPolicy = ReconnectPolicy()
            let characteristic = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
            try await lab.during {
                for try await values in try await characteristic.stringNotifications(onDisconnect: .resubscribe, onUndecodable: .skip) {
                    show(values)
                }
            } _: {
                try await lab.endAfterSubscription()
                // Three samples for each subscription.
                while printed.lines.count < 6 { try await lab.radio.clock.sleep(for: .seconds(1)) }
            }
            #expect(printed.lines.count == 6)
        }
    }
}
