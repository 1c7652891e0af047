// SPDX-License-Identifier: MIT

package import BlueCapBeacon
package import BlueCapCore
package import BlueCapRuntime
package import BlueCapSerDe
import Foundation

/// Publishes the measurements of the sensors that a central hears.
///
/// The values of a device are published as one state, a JSON object, beside its availability and its description for
/// Home Assistant. The broker keeps them all, and ``publishAgain()`` is for a broker that may have lost them.
package actor DeviceGateway {
    /// A change in the list of devices, or of the radio.
    package enum Event: Hashable, Sendable {
        /// A device is heard for the first time; not told of those for which another one gives way.
        case device(PeerIdentifier, name: String)
        /// There are too many devices, and the one that was heard longest ago gave way; told once.
        case forgotten(PeerIdentifier)
        /// A device is not published any more: its rule has changed, or another one fits it now.
        case removed(PeerIdentifier)
        /// Frames of a device are not read although there is a key for it, for a reason; once for each reason.
        case unread(PeerIdentifier, String)
        /// The radio is gone, for a reason; devices are not heard any more.
        case radioLost(String)
        /// The radio is back.
        case radioReturned
    }

    package nonisolated let events = Multicaster<Event>(replay: .none)
    private(set) var plan: GatewayPlan
    private let publisher: any MessagePublisher
    let clock: BlueCapClock
    private var devices = OrderedTable<PeerIdentifier, GatewayDevice>()
    private let encoder: JSONEncoder
    private var isRadioOn = true
    /// The devices that an earlier run has published and that were not heard since. Within a group those of which the
    /// broker may keep something, and which this gateway does not hear.
    private var earlier: Set<PeerIdentifier> = []
    private var vault = FrameVault()
    private var isAgainDue = false
    private(set) var ownership: Ownership
    /// The devices that stay connected, and are.
    private var linked: Set<PeerIdentifier> = []
    /// The last signal strengths of devices that rules connect to.
    private var strengths: [PeerIdentifier: Int] = [:]
    private var radioLostAt = Duration.zero
    /// How many devices gave way to others, as there are too many.
    package private(set) var forgottenCount = 0

    /// - Parameters:
    ///   - plan: The topics, and how often a state is published.
    ///   - publisher: The broker.
    ///   - clock: The clock of the radio.
    package init(_ plan: GatewayPlan, publisher: any MessagePublisher, clock: BlueCapClock) {
        (self.plan, self.publisher, self.clock) = (plan, publisher, clock)
        ownership = Ownership(plan)
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
    }

    /// Takes a message of ``GatewayPlan/filters``.
    ///
    /// An availability that the broker has kept is that of a device that an earlier run has published. It is removed if
    /// no rule can publish it any more, and is not available until it is heard. Within a group that is for its owner,
    /// which one of the gateways becomes, and which leaves the others time to hear it.
    package func find(_ message: BrokerMessage) {
        if ownership.isShared { return act(ownership.take(message)) }
        guard message.isRetained, !message.payload.isEmpty, let device = plan.device(available: message.topic),
            devices[device] == nil
        else { return }
        earlier.insert(device)
        let isTooMany = earlier.count > ownership.limit(of: plan, besideHeard: devices.count)
        if isTooMany || !plan.rules.mayPublish(device) { return removeEarlier(device) }
        let offline = plan.availability(TopicText.device(device.text), isOnline: false)
        if message.payload != offline.payload { publisher.publish(offline) }
    }

    private func removeEarlier(_ device: PeerIdentifier) {
        guard earlier.contains(device) else { return }
        guard owns(device) else { return ownership.see(needsOwner: true, of: device) }
        earlier.remove(device)
        removeTopics(TopicText.device(device.text))
        act(ownership.forget(device))
        events.push(.removed(device))
    }

    /// Takes the end of the radio: no device is available until it is heard again.
    package func radioIsLost(_ reason: String) {
        guard isRadioOn else { return }
        isRadioOn = false
        radioLostAt = clock.elapsed
        ownership.deafen()
        // Within a group another gateway may hear them. A link ends by itself if the radio is off.
        if !ownership.isShared {
            for identifier in devices.keys where !linked.contains(identifier) { setAvailable(false, identifier) }
        }
        events.push(.radioLost(reason))
    }

    /// Takes the return of the radio.
    package func radioIsBack() {
        if isRadioOn { return }
        isRadioOn = true
        events.push(.radioReturned)
        // Those that are read are heard again at their next reading, which may be far away.
        let time = clock.elapsed
        for (identifier, device) in devices
        where device.rule?.connection?.patience != nil && !device.isSilent(plan, at: time) {
            announce(identifier, at: time)
        }
    }

    /// Takes a discovery of a scan.
    package func hear(_ discovery: Discovery) {
        radioIsBack()
        if discovery.kind == .lost { return }
        let peripheral = discovery.peripheral
        let isConnectable = plan.rules.connections[peripheral.identifier] != nil
        if isConnectable { strengths[peripheral.identifier] = discovery.rssi }
        guard let frame = BTHome(discovery.advertisements) else {
            if isConnectable { act(ownership.hear(peripheral.identifier, rssi: discovery.rssi, at: clock.elapsed)) }
            return
        }
        let services = plan.rules.isEmpty ? [] : discovery.advertisements.serviceUUIDs
        hear(frame, from: peripheral.identifier, name: peripheral.name, services: services, rssi: discovery.rssi)
    }

    /// Takes a frame of a device.
    package func hear(
        _ frame: BTHome, from identifier: PeerIdentifier, name: String?, services: [BluetoothUUID] = [], rssi: Int?
    ) {
        let subject = GatewayRule.Subject(
            identifier: identifier, name: name ?? devices[identifier]?.subject.name, services: services,
            isEncrypted: frame.isEncrypted)
        let rule = rule(of: subject)
        guard rule?.isPublished != false else {
            // Its name or a service, by which the rule knows it, may have come later than its values. A frame of the
            // other kind may be of another sender.
            if devices[identifier]?.subject.isEncrypted == frame.isEncrypted { remove(identifier) }
            // A device whose name is not known yet may still have a rule.
            if name != nil { removeEarlier(identifier) }
            return
        }
        let time = clock.elapsed
        let heard: [Measurement]
        switch vault.open(frame, of: identifier, key: plan.rules.key(of: identifier)) {
        case .frame(let frame):
            // The rule may know the device by a name or a service that came later than values which it leaves out.
            if devices[identifier]?.hasOtherValues(than: rule) == true { remove(identifier) }
            heard = Measurement.all(in: frame).filter { rule?.publishes($0) ?? true }
        case .again: heard = []
        case .unread(let reason):
            if let reason { events.push(.unread(identifier, reason)) }
            return
        }
        if heard.isEmpty { return hearAgain(identifier, rssi: rssi, at: time) }
        keep(heard, of: subject, rule, rssi: rssi, at: time)
    }

    /// Takes a packet without values of a device, which is there if it was known.
    private func hearAgain(_ identifier: PeerIdentifier, rssi: Int?, at time: Duration) {
        guard devices[identifier] != nil else { return }
        devices[identifier]?.hearAgain(rssi: rssi, at: time)
        setAvailable(true, identifier)
        act(ownership.hear(identifier, rssi: rssi, at: time))
    }

    /// Keeps values of a device, and publishes them when they are due.
    private func keep(
        _ heard: [Measurement], of subject: GatewayRule.Subject, _ rule: GatewayRule?, rssi: Int?, at time: Duration
    ) {
        let identifier = subject.identifier
        let isFirst = devices[identifier] == nil
        var device = devices[identifier] ?? GatewayDevice(subject, rule, at: time)
        let oldName = device.name
        (device.subject, device.rule) = (subject, rule)
        if device.hear(heard, rssi: rssi, plan, at: time) || device.name != oldName { device.describedExpiry = nil }
        devices[identifier] = device
        if isFirst {
            earlier.remove(identifier)
            if devices.count > plan.maximumDevices {
                forgetOldest(but: identifier)
            } else {
                events.push(.device(identifier, name: device.name))
            }
            let isTooMany = earlier.count > ownership.limit(of: plan, besideHeard: devices.count)
            if isTooMany, let other = earlier.first { removeEarlier(other) }
        }
        announce(identifier, at: time)
        act(ownership.hear(identifier, rssi: rssi, at: time))
    }

    /// Publishes all of a device that is heard and was not available before, and else a state that is due.
    private func announce(_ identifier: PeerIdentifier, at time: Duration) {
        guard owns(identifier), let device = devices[identifier] else { return }
        if device.isAvailable { return publishIfDue(identifier, at: time) }
        describe(identifier)
        setAvailable(true, identifier)
        publish(identifier, at: time)
    }

    /// Takes other rules, intervals and numbers of connections; the topics stay.
    ///
    /// A device that is not published any more is removed from the broker and from Home Assistant.
    ///
    /// - Parameter connectionLimit: How many connections to devices there are at once; nil for as many as before.
    package func adopt(
        _ rules: GatewayRules, shortestInterval: Duration, longestInterval: Duration, connectionLimit: Int? = nil
    ) {
        let isSamePace = (plan.shortestInterval, plan.longestInterval) == (shortestInterval, longestInterval)
        (plan.rules, plan.connectionLimit) = (rules, connectionLimit ?? plan.connectionLimit)
        ownership.adopt(plan)
        (plan.shortestInterval, plan.longestInterval) = (shortestInterval, longestInterval)
        vault.keepKeys(of: rules)
        strengths = strengths.filter { rules.connections[$0.key] != nil }
        for device in earlier.sorted() where !rules.mayPublish(device) { removeEarlier(device) }
        for identifier in devices.keys {
            guard var device = devices[identifier] else { continue }
            let rule = rule(of: device.subject)
            // Without the key, or with one that was not needed before, no more frames of it are read.
            let isReadable = (rules.key(of: identifier) != nil) == device.subject.isEncrypted
            let hasLostValues = device.rule?.connection?.hasOtherValues(than: rule?.connection) == true
            guard rule?.isPublished != false, isReadable, !hasLostValues else {
                remove(identifier)
                continue
            }
            if rule == device.rule, isSamePace { continue }
            if device.hasOtherValues(than: rule) {
                narrow(device, to: rule)
                continue
            }
            // The name, or how long a state holds: that which the broker has may end before the next one comes.
            (device.rule, device.describedExpiry) = (rule, nil)
            devices[identifier] = device
            publish(identifier, at: clock.elapsed)
        }
    }

    /// Removes a device with values that its rule does not name any more, and publishes it with the others.
    private func narrow(_ device: GatewayDevice, to rule: GatewayRule?) {
        var narrowed = device
        narrowed.leaveOutValues(of: rule)
        if narrowed.measurements.isEmpty { return remove(device.identifier) }
        if owns(device.identifier) { removeTopics(device.topicLevel) }
        (narrowed.rule, narrowed.describedExpiry, narrowed.isAvailable) = (rule, nil, false)
        devices[device.identifier] = narrowed
        if device.isAvailable { announce(device.identifier, at: clock.elapsed) }
    }

    package var deviceCount: Int { devices.count }

    /// How many frames were read.
    package var readFrameCount: Int { vault.readCount }

    /// Takes the counters of encrypted frames that an earlier run has kept, before the first frame.
    package func restore(_ counters: [FrameCounter]) { vault.restore(counters, rules: plan.rules) }

    /// The counters of encrypted frames, for the next run.
    package var frameCounters: [FrameCounter] { vault.counters }

    /// The numbers of frames that were not read.
    package var unreadFrames: FrameVault.Counts { vault.counts }

    private func rule(of subject: GatewayRule.Subject) -> GatewayRule? {
        plan.rules.isEmpty ? nil : plan.rules.first(for: subject)
    }

    private func remove(_ identifier: PeerIdentifier) {
        guard let device = devices[identifier] else { return }
        devices[identifier] = nil
        withdraw(device)
        events.push(.removed(identifier))
        if !plan.rules.mayPublish(identifier) { removeEarlier(identifier) }
    }

    /// Publishes the states whose time has come, and that devices are not available which have been silent for longer
    /// than their states hold. To be called about once a second.
    package func tick() {
        let time = clock.elapsed
        if isAgainDue { publishAgain() }
        for identifier in linked {
            devices[identifier]?.hearAgain(rssi: strengths[identifier], at: time)
            announce(identifier, at: time)
            act(ownership.hear(identifier, rssi: strengths[identifier], at: time))
        }
        for identifier in devices.keys {
            // The return of one that is not available publishes all of it; until then its values are old.
            if devices[identifier]?.isAvailable == true { publishIfDue(identifier, at: time) }
            if devices[identifier]?.isSilent(plan, at: time) == true { setAvailable(false, identifier) }
        }
        tickInGroup(at: time)
    }

    /// Publishes everything again at the next ``tick()``, however often it is called before: for a Home Assistant that
    /// has just started.
    package func publishAgainSoon() { isAgainDue = true }

    /// Publishes everything again: for a broker that may have lost it.
    package func publishAgain() {
        isAgainDue = false
        publisher.publish(plan.status(isOnline: true))
        let time = clock.elapsed
        for identifier in devices.keys {
            guard let device = devices[identifier], owns(identifier) else { continue }
            // Another gateway of the group may have published newer values.
            if ownership.isShared, !device.isAvailable { continue }
            devices[identifier]?.describedExpiry = nil
            describe(identifier)
            publisher.publish(plan.availability(device.topicLevel, isOnline: device.isAvailable))
            // The broker has forgotten values whose time was over.
            if device.isAvailable { publish(identifier, at: time) }
        }
    }

    private func setAvailable(_ isAvailable: Bool, _ identifier: PeerIdentifier) {
        guard let device = devices[identifier], device.isAvailable != isAvailable, owns(identifier) else { return }
        devices[identifier]?.isAvailable = isAvailable
        publisher.publish(plan.availability(device.topicLevel, isOnline: isAvailable))
    }

    private func forgetOldest(but identifier: PeerIdentifier) {
        let others = devices.filter { $0.key != identifier && !linked.contains($0.key) }
        guard let oldest = others.min(by: { $0.value.heardAt < $1.value.heardAt }) else { return }
        devices[oldest.key] = nil
        forgottenCount += 1
        if forgottenCount == 1 { events.push(.forgotten(oldest.key)) }
        withdraw(oldest.value)
    }

    /// Removes all of a device from the broker; within a group, where this gateway owns it.
    private func withdraw(_ device: GatewayDevice) {
        if owns(device.identifier) { removeTopics(device.topicLevel) } else { mayBeKept(device.identifier) }
        act(ownership.forget(device.identifier))
    }

    private func removeTopics(_ device: String) {
        for topic in plan.topics(device) {
            publisher.publish(BrokerMessage(topic: topic, payload: [], isRetained: true))
        }
    }

    /// Describes the device to Home Assistant, unless it has that description.
    private func describe(_ identifier: PeerIdentifier) {
        guard let device = devices[identifier], owns(identifier) else { return }
        let expiry = device.expiry(plan)
        if let described = device.describedExpiry, described >= expiry { return }
        devices[identifier]?.describedExpiry = expiry
        guard let topic = plan.discoveryTopic(device.topicLevel) else { return }
        guard let payload = json(DeviceDiscovery(device, plan)) else { return }
        publisher.publish(BrokerMessage(topic: topic, payload: payload, isRetained: true))
    }

    private func publishIfDue(_ identifier: PeerIdentifier, at time: Duration) {
        if devices[identifier]?.isDue(plan, at: time) == true { publish(identifier, at: time) }
    }

    private func publish(_ identifier: PeerIdentifier, at time: Duration) {
        describe(identifier)
        guard let device = devices[identifier], owns(identifier) else { return }
        let state = StateJSON(device)
        devices[identifier]?.wasPublished(at: time)
        let expiry = UInt32(clamping: device.expiry(plan).components.seconds)
        publisher.publish(
            BrokerMessage(
                topic: plan.stateTopic(device.topicLevel), payload: state.bytes, isRetained: true, expiry: expiry))
    }

    // MARK: Connections

    /// Takes values that a device gave over a connection of a rule, unless that has changed since.
    func take(_ values: [Measurement], from identifier: PeerIdentifier, name: String?, _ connection: ConnectionRule) {
        guard !values.isEmpty, plan.rules.connections[identifier] == connection else { return }
        let known = devices[identifier]?.subject
        let subject = GatewayRule.Subject(
            identifier: identifier, name: name ?? known?.name, services: known?.services ?? [],
            isEncrypted: plan.rules.key(of: identifier) != nil)
        keep(values, of: subject, rule(of: subject), rssi: strengths[identifier], at: clock.elapsed)
    }

    /// Takes that a device which stays connected is connected from now on, or is not any more.
    func setLinked(_ isLinked: Bool, _ identifier: PeerIdentifier, _ connection: ConnectionRule) {
        if isLinked {
            guard plan.rules.connections[identifier] == connection else { return }
            linked.insert(identifier)
            // Its first value is published at once, and the old ones are not before that.
            devices[identifier]?.link(at: clock.elapsed)
            hearAgain(identifier, rssi: strengths[identifier], at: clock.elapsed)
        } else {
            linked.remove(identifier)
            setAvailable(false, identifier)
        }
    }

    // MARK: A group

    /// Takes a connection to the broker, which may have lost everything.
    package func brokerIsBack() {
        guard ownership.isShared else { return publishAgain() }
        publisher.beginConnection()
        earlier = []
        publisher.publish(plan.status(isOnline: true))
        act(ownership.connect(at: clock.elapsed))
    }

    /// Takes the loss of the broker: within a group no device is this gateway's until the broker has said so again.
    package func brokerIsLost() { act(ownership.disconnect()) }

    /// Publishes the claims and the sign of life that are due; to be called ten times a second within a group.
    package func tendGroup() { act(ownership.tend(at: clock.elapsed)) }

    /// The topics of a group that the broker has accepted and does not send; nil where it does.
    package var unansweredFilter: String? { ownership.unansweredFilter }

    /// How many messages of other gateways were not those of one, or of too many; nil without a group.
    package var ignoredMessages: Int? { ownership.ignoredCount }

    /// Whether this gateway publishes the device; always, without a group.
    private func owns(_ identifier: PeerIdentifier) -> Bool { ownership.owns(identifier, at: clock.elapsed) }

    private func act(_ effects: [GatewayGroup.Effect]) {
        let time = clock.elapsed
        for effect in effects {
            switch effect {
            case .publish(let message): publisher.publish(message)
            case .gained(let device):
                mayBeKept(device)
                if isRadioOn, devices[device]?.isSilent(plan, at: time) == false { announce(device, at: time) }
                // A gateway whose signs of life are late announces nothing.
                if devices[device]?.isAvailable != true { ownership.isUnheard(device, at: time) }
            case .lost(let device):
                devices[device]?.isAvailable = false
                devices[device]?.describedExpiry = nil
            case .availability(let device, let payload): find(device, payload, at: time)
            }
        }
    }

    /// Takes that the broker may keep something of a device.
    private func mayBeKept(_ device: PeerIdentifier) {
        let limit = ownership.limit(of: plan, besideHeard: devices.count)
        if devices[device] == nil, earlier.count < limit { earlier.insert(device) }
    }

    /// Takes the availability of a device that the broker has, as the owner, or as one that may become it.
    private func find(_ identifier: PeerIdentifier, _ payload: [UInt8], at time: Duration) {
        let own = plan.availability(
            TopicText.device(identifier.text), isOnline: devices[identifier]?.isAvailable == true)
        let mayBeAvailable = !payload.isEmpty && payload != Array("offline".utf8)
        if payload.isEmpty { earlier.remove(identifier) } else { mayBeKept(identifier) }
        ownership.see(
            needsOwner: mayBeAvailable || !payload.isEmpty && !plan.rules.mayPublish(identifier), of: identifier)
        if mayBeAvailable, ownership.isOwn(identifier), devices[identifier]?.isAvailable != true {
            ownership.isUnheard(identifier, at: time)
        }
        guard owns(identifier), payload != own.payload else { return }
        // One that was the owner may have said less, later.
        if devices[identifier] != nil { publisher.publish(own) }
    }

    /// Publishes that devices are not available which this gateway owns, and does not hear, and removes those that no
    /// rule can publish.
    private func tickInGroup(at time: Duration) {
        if !ownership.isShared { return }
        for device in earlier.filter({ ownership.isOwn($0) && !plan.rules.mayPublish($0) }).sorted() {
            removeEarlier(device)
        }
        // The values of one with a connection do not come with its packets: they are no older where these are missed.
        for (identifier, device) in devices where plan.rules.connections[identifier] == nil {
            // One that is not available here may be another gateway's: values of before are not worth a claim.
            let end = time + Ownership.grace
            let isOver = device.isAvailable ? device.isOver(plan, at: end) : device.isSilent(plan, at: end)
            if isOver { ownership.deafen(to: identifier) }
        }
        if !isRadioOn, time - radioLostAt >= Ownership.grace {
            for identifier in devices.keys where !linked.contains(identifier) { setAvailable(false, identifier) }
        }
        for device in ownership.unheard(for: max(plan.longestInterval * 3, .seconds(30)), at: time) {
            if isRadioOn, devices[device]?.isSilent(plan, at: time) == false { announce(device, at: time) }
            if devices[device]?.isAvailable == true { continue }
            publisher.publish(plan.availability(TopicText.device(device.text), isOnline: false))
        }
    }

    private func json(_ value: some Encodable) -> [UInt8]? { (try? encoder.encode(value)).map(Array.init) }
}
