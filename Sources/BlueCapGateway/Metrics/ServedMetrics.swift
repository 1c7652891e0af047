// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import CoreMetrics

/// The metrics of this program, served to Prometheus: those of its managers, and those that meters report to
/// ``factory``.
package struct ServedMetrics: Sendable {
    package let factory: PrometheusMetrics
    private let server: MetricsServer

    /// Takes the address; nothing is served before ``whileServing(_:)``.
    ///
    /// - Parameter address: Where to serve.
    /// - Throws: The reason why the address is not to be had.
    package init(_ address: MetricsAddress) throws(MetricsServerError) {
        let factory = PrometheusMetrics(descriptions: Self.descriptions)
        server = try MetricsServer(address) { factory.text }
        self.factory = factory
    }

    /// The URL of the metrics, with the port that was chosen.
    package var url: String { "http://\(server.address)/metrics" }

    /// Serves the metrics while `body` runs. The managers that it makes report to them.
    ///
    /// - Throws: The error of `body`.
    package func whileServing(_ body: () async throws -> Void) async throws {
        server.open()
        let result: Result<Void, any Error>
        do {
            try await withMetricsFactory(factory) { () async throws in try await body() }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    /// A sentence for each metric of the gateway, of the proxy and of the managers.
    private static let descriptions = [
        "bluecap_gateway_messages_total": """
        Messages to the broker. Results: published (the broker has them), replaced (by newer ones), dropped (no \
        room), refused, outdated (presses, and all of a group, left by a lost connection; presses that waited for too \
        long), expired (of the last run, whose time was over or whose topics have changed).
        """,
        "bluecap_gateway_messages_waiting": "Messages that wait for the broker or its answer.",
        "bluecap_gateway_broker_connections_total": "Connections to the broker that were made.",
        "bluecap_gateway_broker_events_missed_total": "Events of the broker for which there was no room.",
        "bluecap_gateway_broker_connected": "Whether there is a connection to the broker.",
        "bluecap_gateway_frames_total": """
        Frames of sensors. Results: read, encrypted (there is no key), unread (not of their key), replayed.
        """,
        "bluecap_gateway_devices": "Sensors that are kept.",
        "bluecap_gateway_links": "Devices that stay connected, and are connected now.",
        "bluecap_gateway_links_wanted": """
        Devices that should be connected now: those with subscribe, within a group if this gateway owns them.
        """,
        "bluecap_gateway_link_failures_total": "Failures of connections to devices, and of readings over them.",
        "bluecap_gateway_commands_total": """
        Commands to devices. Results: written and not_written count values, refused counts messages.
        """,
        "bluecap_gateway_state_unwritten_total": """
        How often the file for the next start could not be opened or written. Absent without such a file.
        """,
        "bluecap_gateway_radio_on": "Whether the radio is on.",
        "bluecap_gateway_start_time_seconds": "The start of the gateway, since 1970-01-01 UTC.",
        "bluecap_gateway_info": "The version of the gateway.",
        "bluecap_proxy_clients": "Clients that have said hello, and are connected.",
        "bluecap_proxy_clients_total": "Clients that said hello.",
        "bluecap_proxy_refused_total": "Connections of clients that the proxy ended, by the reason.",
        "bluecap_proxy_advertisements_total": """
        Advertisements, once for each client. Results: sent, dropped (it did not read, or there was no room).
        """,
        "bluecap_proxy_values_dropped_total": "Values that a client did not get, as it did not read.",
        "bluecap_proxy_links": "Slots that are taken: connections to devices, and attempts.",
        "bluecap_proxy_links_total": "Connections to devices that clients have made.",
        "bluecap_proxy_requests_failed_total": "Requests of clients for attributes that failed.",
        "bluecap_proxy_links_refused_total": """
        Connections to devices that were refused: there was no slot, or another client had the device.
        """,
        "bluecap_proxy_radio_on": "Whether the radio is on.",
        "bluecap_proxy_slots": "How many connections to devices all clients may have.",
        PrometheusMetrics.refused: "Time series that were refused, as there are 256 at the most.",
        "bluecap_sightings_total": "Advertisements that the radio reported.",
        "bluecap_known_peripherals": "Peripherals that managers remember.",
        "bluecap_connected_peripherals": "Connections that stand.",
        "bluecap_connections_total": "Connections that were made.",
        "bluecap_reconnections_total": "Connections that a policy made again after a loss.",
        "bluecap_connected_centrals": "Links of centrals that stand.",
        "bluecap_central_connections_total": "Centrals that connected, and were not refused.",
        "bluecap_refused_centrals_total": "Centrals that were refused, as there were too many.",
        "bluecap_abandoned_total": "Work that centrals left unfinished when their links ended.",
        "bluecap_subscribers": "Subscriptions of centrals to characteristics of this program.",
        "bluecap_open_channels": "Channels (L2CAP) that are open.",
        "bluecap_channels_total": "Channels that were opened, by either side.",
        "bluecap_channel_ends_total": """
        Channels that ended: closed by a side, lost with their link, failed as the peer or the platform did wrong.
        """,
        "bluecap_channel_units_total": "Units of channels that went out or came in whole.",
        "bluecap_channel_bytes_total": "Bytes of those units.",
        "bluecap_dropped_total": "Elements that were dropped for want of room.",
        "bluecap_unclaimed_total": "Reports of the platform that belong to nothing known.",
        "bluecap_operation_duration_seconds": "The time from a call to its end.",
    ]
}
#endif
