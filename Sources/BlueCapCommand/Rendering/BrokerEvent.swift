// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapGateway

/// A change of the connection with the broker.
struct BrokerEvent: Encodable, Hashable, Sendable {
    enum State: String, Encodable {
        case connected, lost, refused, unsubscribed
    }

    var event = "broker"
    var state: State
    var broker: String
    var reason: String?
    var date: String?

    init(state: State, broker: BrokerAddress, reason: String? = nil) {
        (self.state, self.broker, self.reason) = (state, broker.description, reason)
    }

    /// For people.
    var line: String {
        switch state {
        case .connected: "connected to \(broker)"
        case .lost: "no connection to \(broker) (\(reason ?? "unknown")): trying again"
        case .refused: "\(broker) refuses: \(reason ?? "unknown"). Trying again every half minute"
        case .unsubscribed: "\(broker) refuses: \(reason ?? "unknown")"
        }
    }
}
