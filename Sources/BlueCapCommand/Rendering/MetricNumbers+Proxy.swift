// SPDX-License-Identifier: MIT

#if ESPHome && Gateway
import BlueCapESPHome
import BlueCapGateway

extension MetricNumbers {
    /// The numbers of a proxy.
    init(_ counts: ProxyCounts, _ levels: ProxyLevels) {
        let refused = ProxyFault.allCases.map { fault in
            ("bluecap_proxy_refused_total", ("reason", Self.label(fault)), counts.refused[fault] ?? 0)
        }
        self.init(
            counters: [
                ("bluecap_proxy_clients_total", nil, counts.clients),
                ("bluecap_proxy_advertisements_total", ("result", "sent"), counts.advertisements),
                ("bluecap_proxy_advertisements_total", ("result", "dropped"), counts.droppedAdvertisements),
                ("bluecap_proxy_values_dropped_total", nil, counts.droppedValues),
                ("bluecap_proxy_links_total", nil, counts.links),
                ("bluecap_proxy_links_refused_total", nil, counts.refusedLinks),
                ("bluecap_proxy_requests_failed_total", nil, counts.failedRequests),
            ] + refused,
            levels: [
                ("bluecap_proxy_clients", levels.clients), ("bluecap_proxy_links", levels.links),
                ("bluecap_proxy_slots", levels.slots), ("bluecap_proxy_radio_on", levels.isRadioOn ? 1 : 0),
            ])
    }

    private static func label(_ fault: ProxyFault) -> String {
        switch fault {
        case .clearText: "clear_text"
        case .encrypted: "encrypted"
        case .wrongKey: "wrong_key"
        case .malformed: "malformed"
        case .tooLong: "too_long"
        case .notGreeted: "no_hello"
        case .silent: "silent"
        case .tooSlow: "too_slow"
        case .tooMany: "too_many"
        }
    }
}
#endif
