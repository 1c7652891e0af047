// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
package import BlueCapRuntime
package import CoreMetrics

/// Reports the numbers of a gateway.
package final class GatewayMeter: Sendable {
    private let meter: NumbersMeter

    /// - Parameters:
    ///   - factory: Makes the metrics, all of them at once.
    ///   - version: The version of the program.
    ///   - start: The start of the gateway.
    ///   - keepsState: Whether there is a file for the next start.
    package init(factory: any MetricsFactory, version: String, start: Timestamp, keepsState: Bool) {
        var none = GatewayNumbers()
        none.unwrittenStates = keepsState ? 0 : nil
        meter = NumbersMeter(factory: factory, none: none.metrics)
        Meter(label: "bluecap_gateway_info", dimensions: [("version", version)], factory: factory).set(1)
        Meter(label: "bluecap_gateway_start_time_seconds", factory: factory).set(start.sinceEpoch / .seconds(1))
    }

    package func report(_ numbers: GatewayNumbers) { meter.report(numbers.metrics) }
}

extension GatewayNumbers {
    fileprivate var metrics: MetricNumbers {
        let counters = counters.map { name, result, value in
            (name: name, label: result.map { (name: "result", value: $0) }, value: value)
        }
        return MetricNumbers(counters: counters, levels: levels)
    }

    /// The counters with their labels, in a fixed order.
    private var counters: [(name: String, result: String?, value: Int)] {
        [
            ("bluecap_gateway_messages_total", "published", messages.published),
            ("bluecap_gateway_messages_total", "replaced", messages.replaced),
            ("bluecap_gateway_messages_total", "dropped", messages.dropped),
            ("bluecap_gateway_messages_total", "refused", messages.refused),
            ("bluecap_gateway_messages_total", "outdated", messages.outdated),
            ("bluecap_gateway_messages_total", "expired", messages.expired),
            ("bluecap_gateway_broker_connections_total", nil, messages.connections),
            ("bluecap_gateway_broker_events_missed_total", nil, messages.missedEvents),
            ("bluecap_gateway_frames_total", "read", readFrames),
            ("bluecap_gateway_frames_total", "encrypted", unreadFrames.encrypted),
            ("bluecap_gateway_frames_total", "unread", unreadFrames.refused),
            ("bluecap_gateway_frames_total", "replayed", unreadFrames.replayed),
            ("bluecap_gateway_link_failures_total", nil, connections.failures),
            ("bluecap_gateway_commands_total", "written", connections.written),
            ("bluecap_gateway_commands_total", "not_written", connections.notWritten),
            ("bluecap_gateway_commands_total", "refused", connections.refused),
        ] + (unwrittenStates.map { [("bluecap_gateway_state_unwritten_total", nil, $0)] } ?? [])
    }

    /// The levels, in a fixed order.
    private var levels: [(name: String, value: Int)] {
        [
            ("bluecap_gateway_messages_waiting", waiting), ("bluecap_gateway_devices", devices),
            ("bluecap_gateway_links", links.connected), ("bluecap_gateway_links_wanted", links.wanted),
            ("bluecap_gateway_radio_on", isRadioOn ? 1 : 0),
            ("bluecap_gateway_broker_connected", isBrokerConnected ? 1 : 0),
        ]
    }
}
#endif
