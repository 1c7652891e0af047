// SPDX-License-Identifier: MIT

import BlueCapCore

/// A device that a gateway hears, with the values that it publishes.
struct GatewayDevice {
    let identifier: PeerIdentifier
    /// The name that it sends, and more that rules look at.
    var subject: GatewayRule.Subject
    /// The rule that fits it.
    var rule: GatewayRule?
    /// In the order in which they were first heard.
    private(set) var measurements: [Measurement] = []
    private(set) var rssi: Int?
    private(set) var heardAt: Duration
    /// The smoothed time between two packets; nil before the second.
    private(set) var interval: Duration?
    private var publishedAt: Duration?
    /// When it was connected to, if it stays so.
    private var linkedAt: Duration?
    /// The first of them as they were in the last state that was published.
    private var published: [Measurement] = []
    private(set) var isChanged = false
    /// How long states hold by the description that Home Assistant has; nil if it has none with this name and these
    /// kinds.
    var describedExpiry: Duration?
    /// Whether it was published that the device is heard.
    var isAvailable = false

    init(_ subject: GatewayRule.Subject, _ rule: GatewayRule?, at time: Duration) {
        (identifier, self.subject, self.rule, heardAt) = (subject.identifier, subject, rule, time)
        topicLevel = TopicText.device(identifier.text)
    }

    /// The name that is published.
    var name: String { rule?.name ?? subject.name ?? identifier.text }

    let topicLevel: String

    /// The address of the device; nil for an identifier of Apple's platforms.
    var address: String? { identifier.isAddress ? identifier.text : nil }

    /// Takes a packet.
    ///
    /// A time without packets counts for as long as the last state holds, so that one absence does not make a device a
    /// seldom one.
    ///
    /// - Returns: Whether the description of the device changes: it has a value of another kind.
    mutating func hear(_ heard: [Measurement], rssi: Int?, _ plan: GatewayPlan, at time: Duration) -> Bool {
        let gap = interval == nil ? time - heardAt : min(time - heardAt, expiry(plan))
        if publishedAt != nil || !measurements.isEmpty { interval = interval.map { $0 * 0.75 + gap * 0.25 } ?? gap }
        (heardAt, self.rssi) = (time, rssi)
        var isNew = false
        for measurement in heard {
            if let index = measurements.firstIndex(where: { $0.key == measurement.key }) {
                isNew = isNew || measurements[index].kind != measurement.kind
                let earlier = index < published.count ? published[index] : nil
                if measurement.differs(from: earlier, by: rule?.threshold(measurement)) { isChanged = true }
                measurements[index] = measurement
            } else if measurements.count < Self.maximumMeasurements {
                measurements.append(measurement)
                (isNew, isChanged) = (true, true)
            }
        }
        return isNew
    }

    /// Whether it has values that a rule does not publish; those of connections are chosen there.
    func hasOtherValues(than rule: GatewayRule?) -> Bool {
        guard let rule, rule.connection == nil else { return false }
        return !measurements.allSatisfy(rule.publishes)
    }

    /// Forgets the values that a rule does not publish.
    mutating func leaveOutValues(of rule: GatewayRule?) {
        measurements = measurements.filter { rule?.publishes($0) ?? true }
        published = []
    }

    /// Takes a packet with the frame of the last one, or without values.
    mutating func hearAgain(rssi: Int?, at time: Duration) { (heardAt, self.rssi) = (time, rssi) }

    /// Takes that the device is connected to. Its old values are left alone until the first new one may have come.
    mutating func link(at time: Duration) { linkedAt = time }

    private static let timeOfFirstValue = Duration.seconds(5)

    /// Whether the state is to be published now.
    func isDue(_ plan: GatewayPlan, at time: Duration) -> Bool {
        guard let publishedAt else { return true }
        let since = time - publishedAt
        if isChanged || describedExpiry == nil { return since >= shortestInterval(plan) }
        if let linkedAt, time - linkedAt < Self.timeOfFirstValue { return false }
        return since >= longestInterval(plan) && heardAt > publishedAt
    }

    private func shortestInterval(_ plan: GatewayPlan) -> Duration {
        // A longest time of the rule alone may be less than the shortest of the plan.
        rule?.shortestInterval ?? min(plan.shortestInterval, rule?.longestInterval ?? plan.shortestInterval)
    }

    private func longestInterval(_ plan: GatewayPlan) -> Duration {
        rule?.longestInterval ?? max(plan.longestInterval, rule?.shortestInterval ?? .zero)
    }

    /// Whether nothing has been heard for longer than the last state holds.
    func isSilent(_ plan: GatewayPlan, at time: Duration) -> Bool { time - heardAt > expiry(plan) }

    /// Whether the last state holds no longer, or the device is silent.
    func isOver(_ plan: GatewayPlan, at time: Duration) -> Bool {
        time - min(publishedAt ?? heardAt, heardAt) > expiry(plan)
    }

    mutating func wasPublished(at time: Duration) {
        (publishedAt, isChanged) = (time, false)
        published = measurements
    }

    /// How long the last state holds: three times the longest time between two, doubled until a device that is heard
    /// less often is, too. The rule tells it of a device that is read.
    func expiry(_ plan: GatewayPlan) -> Duration {
        var expiry = max(longestInterval(plan) * 3, .seconds(30))
        if let patience = rule?.connection?.patience { return max(expiry, patience) }
        while let interval, expiry < min(interval * 3, .seconds(86_400)) { expiry *= 2 }
        return min(expiry, .seconds(86_400))
    }

    /// A device that changes its kinds all the time has no more than these.
    private static let maximumMeasurements = 64
}
