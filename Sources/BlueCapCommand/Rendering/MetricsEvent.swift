// SPDX-License-Identifier: MIT

import BlueCap

/// Metrics are served from now on.
struct MetricsEvent: Encodable, Sendable {
    var event = "metrics"
    var url: String
    var date: String

    /// For people.
    var line: String { "metrics at \(url)" }
}
