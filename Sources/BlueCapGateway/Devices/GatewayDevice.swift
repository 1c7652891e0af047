// SPDX-License-Identifier: MIT

import BlueCapCore

/// A device that a gateway hears, with the values that it publishes.
struct GatewayDevice {
    let identifier: PeerIdentifier
    var name: String
    /// In the order in which they were first heard.
    private(set) var measurements: [Measurement] = []
    private(set) var rssi: Int?
    private(set) var heardAt: Duration
    /// The smoothed time between two packets; nil before the second.
    private(set) var interval: Duration?
    private var publishedAt: Duration?
    private(set) var isChanged = false
    /// Whether it was published that the device is heard.
    var isAvailable = false

    init(_ identifier: PeerIdentifier, name: String, at time: Duration) {
        (self.identifier, self.name, heardAt) = (identifier, name, time)
    }

    var topicLevel: String { TopicText.device(identifier.text) }

    /// The address of the device; nil for an identifier of Apple's platforms.
    var address: String? { identifier.isAddress ? identifier.text : nil }

    /// Takes a packet.
    ///
    /// - Returns: Whether the description of the device changes: it has another name, or a value of another kind.
    mutating func hear(_ heard: [Measurement], name: String, rssi: Int?, at time: Duration) -> Bool {
        let gap = time - heardAt
        if publishedAt != nil || !measurements.isEmpty { interval = interval.map { $0 * 0.75 + gap * 0.25 } ?? gap }
        (heardAt, self.rssi) = (time, rssi)
        var isNew = name != self.name
        self.name = name
        for measurement in heard {
            if let index = measurements.firstIndex(where: { $0.key == measurement.key }) {
                isNew = isNew || measurements[index].kind != measurement.kind
                if measurements[index] != measurement { isChanged = true }
                measurements[index] = measurement
            } else if measurements.count < Self.maximumMeasurements {
                measurements.append(measurement)
                (isNew, isChanged) = (true, true)
            }
        }
        return isNew
    }

    /// Whether the state is to be published now.
    func isDue(_ plan: GatewayPlan, at time: Duration) -> Bool {
        guard let publishedAt else { return true }
        let since = time - publishedAt
        return isChanged ? since >= plan.shortestInterval : since >= plan.longestInterval && heardAt > publishedAt
    }

    /// Whether nothing has been heard for longer than the last state holds.
    func isSilent(_ plan: GatewayPlan, at time: Duration) -> Bool { time - heardAt > expiry(plan) }

    mutating func wasPublished(at time: Duration) {
        (publishedAt, isChanged) = (time, false)
    }

    /// How long the last state holds: three times the longest time between two.
    func expiry(_ plan: GatewayPlan) -> Duration {
        let longest = max(plan.longestInterval, interval ?? .zero)
        return min(max(longest * 3, .seconds(30)), .seconds(86_400))
    }

    /// A device that changes its kinds all the time has no more than these.
    private static let maximumMeasurements = 64
}
