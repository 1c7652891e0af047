// SPDX-License-Identifier: MIT

#if Metrics
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreMetrics
import Testing

@Suite("The metrics of channels", .timeLimit(.minutes(60)))
struct ChannelMetricsTests {
    @Test func `count channels, their units and bytes, their refusals and their ends`() async throws {
        try await MetricsWorld.run { world in
            let metrics = world.metrics
            world.tag.publish(TwinChannel(psm: 0x80, behaviour: .echo))
            let manager = try await world.central()
            let (peripheral, _) = try await world.connect(manager)
            #expect(metrics.sum("bluecap_channels_total") == 0)
            #expect(metrics.sum("bluecap_open_channels") == 0)

            let first = try await peripheral.openChannel(psm: 0x80)
            let second = try await peripheral.openChannel(psm: 0x80)
            let third = try await peripheral.openChannel(psm: 0x80)
            await #expect(throws: ChannelError.self) { try await peripheral.openChannel(psm: 0x81) }
            #expect(metrics.sum("bluecap_channels_total") == 3)
            #expect(metrics.sum("bluecap_open_channels") == 3)
            #expect(metrics.seconds(of: "open_channel", "success").count == 3)
            #expect(metrics.seconds(of: "open_channel", "refused").count == 1)

            try await first.send([1, 2, 3])
            #expect(try await first.first { _ in true } == [1, 2, 3])
            #expect(metrics.seconds(of: "send_unit", "success").count == 1)
            for direction in ["sent", "received"] {
                #expect(metrics.sum("bluecap_channel_units_total", ("direction", direction)) == 1)
                #expect(metrics.sum("bluecap_channel_bytes_total", ("direction", direction)) == 3)
            }

            first.close()
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(metrics.sum("bluecap_channel_ends_total", ("how", "closed")) == 1)
            world.tag.misbehave(.exceedingLength, psm: 0x80)
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(metrics.sum("bluecap_channel_ends_total", ("how", "failed")) == 2)
            let fourth = try await peripheral.openChannel(psm: 0x80)
            await peripheral.disconnect()
            #expect(metrics.sum("bluecap_channel_ends_total", ("how", "lost")) == 1)
            #expect(metrics.sum("bluecap_open_channels") == 0)
            withExtendedLifetime((second, third, fourth)) {}
            await manager.invalidate()
        }
    }

    @Test func `count the units that nobody took`() async throws {
        try await MetricsWorld.run { world in
            world.tag.publish(TwinChannel(psm: 0x80, behaviour: .echo))
            let manager = try await world.central()
            let (peripheral, _) = try await world.connect(manager)
            var channel: Channel? = try await peripheral.openChannel(psm: 0x80)
            try await channel?.send([1])
            try await channel?.send([2])
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "unit")) == 0)
            channel = nil
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "unit")) == 2)
            await manager.invalidate()
        }
    }
}
#endif
