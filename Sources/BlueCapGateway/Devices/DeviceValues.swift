// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime

/// The values of a device, and the times of its packets and of the states that were published.
struct DeviceValues {
    /// Entities of a device beside those of its values.
    struct Additions: OptionSet {
        let rawValue: UInt8
        /// The time of the measurement whose values stay.
        static let measured = Additions(rawValue: 1)
        /// The tracker of a device whose presence is published.
        static let tracker = Additions(rawValue: 2)
    }

    /// The name that it sends, and more that rules look at.
    private(set) var subject: GatewayRule.Subject
    /// The rule that fits it.
    private(set) var rule: GatewayRule?
    /// In the order in which they were first heard.
    private(set) var measurements: [Measurement] = []
    private(set) var rssi: Int?
    private(set) var heardAt: Duration
    /// The smoothed time between two packets; nil before the second.
    private var interval: Duration?
    private var publishedAt: Duration?
    /// When it was connected to, if it stays so.
    private var linkedAt: Duration?
    /// The first of the measurements as they were in the last state that was published.
    private var published: [Measurement] = []
    private var isChanged = false

    /// When the last measurement began, by the clock on the wall; nil for a device whose values do not stay.
    private var measured: Timestamp?
    /// When the newest packet of the last measurement came; nil before the first.
    private var measuredAt: Duration?

    /// After so long without a packet with values, the same values are another measurement.
    private static let pauseOfMeasurements = Duration.seconds(10)
    private static let timeOfFirstValue = Duration.seconds(5)
    private static let longestExpiry = Duration.seconds(86_400)
    /// A device that changes its kinds all the time has no more than these.
    private static let maximumMeasurements = 64

    init(_ subject: GatewayRule.Subject, _ rule: GatewayRule?, at time: Duration) {
        self.subject = subject
        self.rule = rule
        heardAt = time
    }

    /// The name that is published.
    var name: String { Self.name(of: subject, by: rule) }

    /// The name under which a device is published.
    static func name(of subject: GatewayRule.Subject, by rule: GatewayRule?) -> String {
        rule?.name ?? subject.name ?? subject.identifier.text
    }

    /// The address of the device; nil for an identifier of Apple's platforms.
    var address: String? { subject.identifier.isAddress ? subject.identifier.text : nil }

    /// The keys of the buttons.
    var buttons: Set<String> { Set(measurements.filter { $0.kind.part != nil }.map(\.key)) }

    /// Whether the values stay when the device is not heard any more, by its rule or as it is on while it measures.
    var keepsValues: Bool { rule?.keepsValues ?? measurements.contains { $0.kind.isMomentary } }

    /// The time of the measurement whose values stay.
    var measurementDate: Timestamp? { keepsValues ? measured : nil }

    /// Its entities beside those of the values.
    var additions: Additions {
        let measured: Additions = if case .some = measurementDate { .measured } else { [] }
        return rule?.times.presence == nil ? measured : measured.union(.tracker)
    }

    // MARK: Packets

    /// Takes the values of a packet.
    ///
    /// A time without packets counts for as long as the last state holds, so that one absence does not make a device a
    /// seldom one.
    ///
    /// - Returns: Whether the description of the device changes: its name, or the kind of a value.
    mutating func hear(
        _ heard: [Measurement], of subject: GatewayRule.Subject, by rule: GatewayRule?, rssi: Int?, _ pace: DevicePace,
        at time: Duration, on date: Timestamp
    ) -> Bool {
        let (oldName, keptValues) = (name, keepsValues)
        self.subject = subject
        self.rule = rule
        let gap = interval == nil ? time - heardAt : min(time - heardAt, expiry(pace))
        if publishedAt != nil || !measurements.isEmpty { interval = interval.map { $0 * 0.75 + gap * 0.25 } ?? gap }
        hearAgain(rssi: rssi, at: time)
        var isOther = name != oldName
        var isMeasured = false
        for measurement in heard {
            let old = measurements.first { $0.key == measurement.key }
            if keep(measurement) { isOther = true }
            guard rule?.keepsValues ?? measurement.kind.isMomentary else { continue }
            let isLater = measuredAt.map { time - $0 > Self.pauseOfMeasurements } ?? true
            isMeasured = isMeasured || old?.value != measurement.value || isLater
            measuredAt = time
        }
        if isMeasured { (measured, isChanged) = (date, true) }
        return isOther || keepsValues != keptValues
    }

    /// Keeps a value.
    ///
    /// - Returns: Whether it is of another kind than the last one of its key.
    private mutating func keep(_ heard: Measurement) -> Bool {
        var measurement = heard
        // Presses are published one by one.
        if case .press = heard.value { measurement.value = .press(nil) }
        if let index = measurements.firstIndex(where: { $0.key == measurement.key }) {
            let earlier = index < published.count ? published[index] : nil
            if measurement.differs(from: earlier, by: rule?.threshold(measurement)) { isChanged = true }
            let isNew = measurements[index].kind != measurement.kind
            measurements[index] = measurement
            return isNew
        }
        guard measurements.count < Self.maximumMeasurements else { return false }
        measurements.append(measurement)
        isChanged = true
        return true
    }

    /// Whether a value has another platform of Home Assistant than the last one of its key.
    func hasOtherPlatform(than heard: [Measurement]) -> Bool {
        heard.contains { new in
            measurements.contains { $0.key == new.key && $0.kind.platform != new.kind.platform }
        }
    }

    /// Takes a packet with the frame of the last one, or without values.
    mutating func hearAgain(rssi: Int?, at time: Duration) {
        heardAt = time
        self.rssi = rssi
    }

    /// Takes a connection to the device. Its old values are left alone until the first new one may have come.
    mutating func link(at time: Duration) { linkedAt = time }

    // MARK: Rules

    /// Takes another rule, and forgets the values that it does not publish.
    mutating func adopt(_ rule: GatewayRule?) {
        if hasOtherValues(than: rule) {
            measurements = measurements.filter { rule?.publishes($0) ?? true }
            published = []
        }
        self.rule = rule
    }

    /// Whether it has values that a rule does not publish; the values of connections are chosen there.
    func hasOtherValues(than rule: GatewayRule?) -> Bool {
        guard let rule, rule.connection == nil else { return false }
        return !measurements.allSatisfy(rule.publishes)
    }

    /// Whether a rule reads other characteristics of the device than its rule does.
    func hasOtherCharacteristics(than rule: GatewayRule?) -> Bool {
        self.rule?.connection?.hasOtherValues(than: rule?.connection) ?? false
    }

    // MARK: Times

    /// Takes the publication of the state.
    mutating func publish(at time: Duration) {
        publishedAt = time
        published = measurements
        isChanged = false
    }

    /// Whether the state is to be published now.
    ///
    /// - Parameter isOther: Whether its description changes with it.
    func isDue(isOther: Bool, _ pace: DevicePace, at time: Duration) -> Bool {
        guard let publishedAt else { return true }
        let (since, pace) = (time - publishedAt, pace.adapted(to: rule))
        if isChanged || isOther { return since >= pace.shortest }
        if let linkedAt, time - linkedAt < Self.timeOfFirstValue { return false }
        return since >= pace.longest && heardAt > publishedAt
    }

    /// Whether nothing has been heard for longer than the last state holds.
    func isSilent(_ pace: DevicePace, at time: Duration) -> Bool { time - heardAt > expiry(pace) }

    /// Whether the last state holds no longer, or the device is silent.
    func isOver(_ pace: DevicePace, at time: Duration) -> Bool {
        time - min(publishedAt ?? heardAt, heardAt) > expiry(pace)
    }

    /// How long the broker and Home Assistant believe the last state; nil for ever.
    func stateExpiry(_ pace: DevicePace) -> Duration? { keepsValues ? nil : expiry(pace) }

    /// How long the last state holds: three times the longest time between two, doubled until a device that is heard
    /// less often is, too. A device that is read, or whose presence is published, has the time of its rule.
    func expiry(_ pace: DevicePace) -> Duration {
        if let presence = rule?.times.presence { return presence }
        var expiry = pace.adapted(to: rule).expiry
        if let patience = rule?.connection?.patience { return max(expiry, patience) }
        while let interval, expiry < min(interval * 3, Self.longestExpiry) { expiry *= 2 }
        return min(expiry, Self.longestExpiry)
    }
}
#endif
