// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapRuntime
import Testing

@testable import BlueCapGateway

@Suite("The numbers of a gateway", .timeLimit(.minutes(60)))
struct GatewayMeterTests {
    private let metrics = PrometheusMetrics(descriptions: [:])
    private var lines: [Substring] { metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") } }

    private func meter(keepsState: Bool = false) -> GatewayMeter {
        let start = Timestamp(sinceEpoch: .milliseconds(1500))
        return GatewayMeter(factory: metrics, version: "1.2.3", start: start, keepsState: keepsState)
    }

    @Test func `are there from the start, with zero`() {
        _ = meter()
        #expect(
            lines == [
                "bluecap_gateway_broker_connected 0", "bluecap_gateway_broker_connections_total 0",
                "bluecap_gateway_broker_events_missed_total 0",
                "bluecap_gateway_commands_total{result=\"not_written\"} 0",
                "bluecap_gateway_commands_total{result=\"refused\"} 0",
                "bluecap_gateway_commands_total{result=\"written\"} 0", "bluecap_gateway_devices 0",
                "bluecap_gateway_frames_total{result=\"encrypted\"} 0",
                "bluecap_gateway_frames_total{result=\"read\"} 0",
                "bluecap_gateway_frames_total{result=\"replayed\"} 0",
                "bluecap_gateway_frames_total{result=\"unread\"} 0", "bluecap_gateway_info{version=\"1.2.3\"} 1",
                "bluecap_gateway_link_failures_total 0", "bluecap_gateway_links 0", "bluecap_gateway_links_wanted 0",
                "bluecap_gateway_messages_total{result=\"dropped\"} 0",
                "bluecap_gateway_messages_total{result=\"expired\"} 0",
                "bluecap_gateway_messages_total{result=\"outdated\"} 0",
                "bluecap_gateway_messages_total{result=\"published\"} 0",
                "bluecap_gateway_messages_total{result=\"refused\"} 0",
                "bluecap_gateway_messages_total{result=\"replaced\"} 0", "bluecap_gateway_messages_waiting 0",
                "bluecap_gateway_radio_on 0", "bluecap_gateway_start_time_seconds 1.5",
            ])
    }

    @Test func `are those of the last report`() {
        let meter = meter()
        var numbers = GatewayNumbers()
        for (published, devices) in [(3, 7), (5, 2)] {
            (numbers.messages.published, numbers.devices, numbers.isRadioOn) = (published, devices, devices == 7)
            meter.report(numbers)
        }
        #expect(lines.contains("bluecap_gateway_messages_total{result=\"published\"} 5"))
        #expect(lines.contains("bluecap_gateway_devices 2"))
        #expect(lines.contains("bluecap_gateway_radio_on 0"))
    }

    @Test func `have those of connections and of commands`() {
        let meter = meter()
        var numbers = GatewayNumbers()
        numbers.connections = LinkCounts(failures: 1, written: 2, notWritten: 3, refused: 4)
        numbers.links = LinkLevels(connected: 5, wanted: 6)
        meter.report(numbers)
        let wanted = [
            "link_failures_total 1", "commands_total{result=\"written\"} 2",
            "commands_total{result=\"not_written\"} 3", "commands_total{result=\"refused\"} 4", "links 5",
            "links_wanted 6",
        ]
        for line in wanted { #expect(lines.contains("bluecap_gateway_\(line)")) }
    }

    @Test func `have failed writings of the file only where there is one`() {
        let meter = meter(keepsState: true)
        #expect(lines.contains("bluecap_gateway_state_unwritten_total 0"))
        var numbers = GatewayNumbers()
        for count in [1, 3] {
            numbers.unwrittenStates = count
            meter.report(numbers)
        }
        #expect(lines.contains("bluecap_gateway_state_unwritten_total 3"))
    }
}
#endif
