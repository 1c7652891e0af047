// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapBeacon
package import BlueCapCore
package import BlueCapRuntime
package import BlueCapSerDe
import Foundation

/// Publishes the measurements of the sensors that a central hears.
///
/// The values of a device are published as one state, a JSON object, beside its availability and its description for
/// Home Assistant. The broker keeps them all, and ``publishAgain()`` is for a broker that may have lost it.
///
/// It keeps a ``DeviceLife`` for each device, and carries out the actions of these machines.
package actor DeviceGateway {
    package nonisolated let events: GatewayEvents
    private(set) var plan: GatewayPlan
    let publisher: any MessagePublisher
    let clock: BlueCapClock
    private(set) var lives = DeviceTable()
    /// Changed by the events of the group, too.
    var ownership: Ownership
    let encoder: JSONEncoder
    private var vault = FrameVault()
    /// When the radio was lost; nil while it is on.
    private var radioLostAt: Duration?
    private var isAgainDue = false
    private var presses = GatewayPresses()
    /// How many devices gave way to others, as there are too many.
    package private(set) var forgottenCount = 0

    /// - Parameters:
    ///   - plan: The topics, and the times between states.
    ///   - publisher: The broker.
    ///   - clock: The clock of the radio.
    ///   - events: Takes the changes of devices and of the radio.
    package init(
        _ plan: GatewayPlan, publisher: any MessagePublisher, clock: BlueCapClock,
        events: GatewayEvents = GatewayEvents()
    ) {
        (self.plan, self.publisher, self.clock, self.events) = (plan, publisher, clock, events)
        ownership = Ownership(plan)
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
    }

    package var deviceCount: Int { lives.heardCount }

    /// How many frames were read.
    package var readFrameCount: Int { vault.readCount }

    /// Takes the counters of encrypted frames that an earlier run has kept, before the first frame.
    package func restore(_ counters: [FrameCounter]) { vault.restore(counters, rules: plan.rules) }

    /// The counters of encrypted frames, for the next run.
    package var frameCounters: [FrameCounter] { vault.counters }

    /// The numbers of frames that were not read.
    package var unreadFrames: FrameCounts { vault.counts }

    var isRadioOn: Bool { if case .some = radioLostAt { false } else { true } }

    /// Whether other gateways had time to take the devices since the radio was lost.
    var isRadioGone: Bool { radioLostAt.map { clock.elapsed - $0 >= Ownership.grace } ?? false }

    // MARK: The radio

    /// Takes the end of the radio: no device is available until it is heard again.
    package func radioIsLost(_ reason: String) {
        guard isRadioOn else { return }
        radioLostAt = clock.elapsed
        presses.radioIsOff()
        ownership.deafen()
        // Within a group another gateway may hear them.
        if !ownership.isShared { changeAll { $0.radioLost(at: $1) } }
        events.push(.radioLost(reason))
    }

    /// Takes the return of the radio.
    package func radioIsBack() {
        presses.radioIsOn(at: clock.elapsed)
        if isRadioOn { return }
        radioLostAt = nil
        events.push(.radioReturned)
        changeAll { $0.radioReturned(at: $1) }
    }

    /// Takes a discovery of a scan.
    package func hear(_ discovery: Discovery) {
        radioIsBack()
        // The packets of all devices are a finer clock than the seconds.
        if !presses.waiting.isEmpty { publishPresses() }
        if discovery.kind == .lost { return }
        let peripheral = discovery.peripheral
        let frame = BTHome(discovery.advertisements)
        let readings = plan.formats.readings(
            in: discovery.advertisements, name: peripheral.name,
            hasKey: plan.rules.key(of: peripheral.identifier) != nil)
        if plan.rules.connections[peripheral.identifier] != nil {
            change(peripheral.identifier, isBeginning: true) { life, _ in
                life.sighted(rssi: discovery.rssi, isFrame: frame != nil || !readings.isEmpty)
            }
        }
        if plan.rules.hasBeacons, let beacon = BeaconIdentity(discovery.advertisements) {
            notice(beacon.device, beacon: beacon, discovery)
        }
        let isClear = frame?.isEncrypted == false || readings.contains { !$0.isEncrypted }
        if plan.rules.hasPresence, !isClear { notice(peripheral.identifier, discovery) }
        if frame == nil, readings.isEmpty { return }
        let services = plan.rules.isEmpty ? [] : discovery.advertisements.serviceUUIDs
        if let frame {
            let device = Self.device(frame.address, peripheral.identifier)
            hear(frame, from: device, name: peripheral.name, services: services, rssi: discovery.rssi)
        }
        if !readings.isEmpty {
            let device = Self.device(readings.lazy.compactMap(\.address).first, peripheral.identifier)
            hear(readings, from: device, name: peripheral.name, services: services, rssi: discovery.rssi)
        }
    }

    /// Takes the readings of a device's other frames.
    package func hear(
        _ readings: [SensorReading], from device: PeerIdentifier, name: String?, services: [BluetoothUUID] = [],
        rssi: Int?
    ) {
        let known = lives[device]?.values?.subject
        let subject = GatewayRule.Subject(
            identifier: device, name: name ?? known?.name,
            services: services.isEmpty ? known?.services ?? [] : services,
            formats: readings.map(\.format), isSealed: readings.contains(where: \.isEncrypted))
        let rule = plan.rules.first(for: subject)
        guard mayPublish(subject, rule, isNamed: name != nil) else { return }
        let key = plan.rules.key(of: device)
        var (heard, number): ([Measurement], UInt64?) = ([], nil)
        var (isThere, wasRead) = (false, false)
        for reading in readings {
            switch vault.open(reading, of: device, key: key, at: clock.elapsed) {
            case .frame(let reading, let own, let isOld):
                (isThere, wasRead) = (true, wasRead || isOld)
                heard += Measurement.all(in: reading)
                if !reading.events.isEmpty { number = own }
            case .again: isThere = true
            case .unread(let reason): if let reason { events.push(.unread(device, reason)) }
            }
        }
        if isThere { keep(heard, number: number, wasRead: wasRead, of: subject, choosing: rule, rssi: rssi) }
    }

    /// Takes a frame of a device.
    package func hear(
        _ frame: BTHome, from device: PeerIdentifier, name: String?, services: [BluetoothUUID] = [], rssi: Int?
    ) {
        let known = lives[device]?.values?.subject
        let subject = GatewayRule.Subject(
            identifier: device, name: name ?? known?.name,
            services: services.isEmpty ? known?.services ?? [] : services,
            isEncrypted: frame.isEncrypted)
        let rule = plan.rules.first(for: subject)
        guard mayPublish(subject, rule, isNamed: name != nil) else { return }
        switch vault.open(frame, of: device, key: plan.rules.key(of: device), at: clock.elapsed) {
        case .frame(let frame, let number, let wasRead):
            let heard = Measurement.all(in: frame)
            keep(heard, number: number, wasRead: wasRead, of: subject, choosing: rule, rssi: rssi)
        case .again: change(device) { $0.heardAgain(rssi: rssi, at: $1) }
        case .unread(let reason): if let reason { events.push(.unread(device, reason)) }
        }
    }

    /// Whether a frame is one of those that its rule publishes.
    ///
    /// - Parameter isNamed: Whether the name of the device is known.
    private func mayPublish(_ subject: GatewayRule.Subject, _ rule: GatewayRule?, isNamed: Bool) -> Bool {
        guard rule?.isPublished == false else { return true }
        // Its name or a service, by which the rule knows it, may have come later than its values.
        if subject.hasFrames(of: lives[subject.identifier]?.values?.subject) { hide(subject.identifier) }
        // A device whose name is not known yet may still have a rule.
        if isNamed { change(subject.identifier) { $0.excluded(at: $1) } }
        return false
    }

    /// Lets a device hear those of its values that its rule publishes.
    ///
    /// - Parameters:
    ///   - number: The number of the packet; nil where it has none.
    ///   - wasRead: Whether an earlier run has read the frame, with its presses.
    private func keep(
        _ all: [Measurement], number: UInt64?, wasRead: Bool, of subject: GatewayRule.Subject,
        choosing rule: GatewayRule?, rssi: Int?
    ) {
        // The rule may know the device by a name or a service that came later than values which it leaves out.
        if let values = lives[subject.identifier]?.values, subject.hasFrames(of: values.subject),
            values.hasOtherValues(than: rule)
        {
            hide(subject.identifier)
        }
        let heard = all.filter { rule?.publishes($0) ?? true }
        let heardAt = lives[subject.identifier]?.values?.heardAt
        let (device, now) = (subject.identifier, clock.elapsed)
        let isOwner = ownership.owns(device, at: now)
        let isOld = wasRead || presses.isOld(heardAt: heardAt, isOwner: isOwner, at: now)
        keep(heard, of: subject, rule, rssi: rssi)
        let buttons = heard.compactMap(\.button)
        if !buttons.isEmpty { press(buttons, number: number, isOld: isOld, of: device) }
    }

    private func press(_ buttons: [PressLog.Entry], number: UInt64?, isOld: Bool, of device: PeerIdentifier) {
        for press in presses.takeElsewhere(of: device, at: clock.elapsed) {
            change(device) { $0.pressedElsewhere(press, at: $1) }
        }
        change(device) { $0.pressed(buttons, number: number, isOld: isOld, at: $1) }
        presses.follow(device, isWaiting: lives[device]?.hasPresses == true)
    }

    /// Takes the beginning of a connection of a group.
    func connectionBegan() { presses.connectionBegan(at: clock.elapsed) }

    /// Takes a press that another gateway of the group has published, also of a device that is not heard yet.
    func take(_ press: PressLog.Heard, of device: PeerIdentifier) {
        if lives[device]?.values == nil { return presses.keep(press, of: device, at: clock.elapsed) }
        change(device) { $0.pressedElsewhere(press, at: $1) }
    }

    /// Publishes the presses whose time has come.
    func publishPresses() {
        for device in presses.waiting {
            change(device) { $0.publishPresses(at: $1) }
            presses.follow(device, isWaiting: lives[device]?.hasPresses == true)
        }
    }

    /// Lets a device hear its values, which are published when they are due. One without values is there if it was
    /// known.
    func keep(_ heard: [Measurement], of subject: GatewayRule.Subject, _ rule: GatewayRule?, rssi: Int?) {
        let device = subject.identifier
        if heard.isEmpty, rule?.times.presence == nil { return change(device) { $0.heardAgain(rssi: rssi, at: $1) } }
        let moment = moment(of: device)
        let isFirst = lives[device]?.values == nil
        let actions = lives.change(device, isBeginning: true) {
            $0.heard(heard, of: subject, by: rule, rssi: rssi, at: moment)
        }
        if isFirst { makeRoom(for: device, named: DeviceValues.name(of: subject, by: rule)) }
        carryOut(actions, of: device)
    }

    /// Lets others give way to a new device.
    private func makeRoom(for device: PeerIdentifier, named name: String) {
        if lives.heardCount <= plan.maximumDevices {
            events.push(.device(device, name: name))
        } else if let oldest = lives.oldest(but: device) {
            forgottenCount += 1
            if forgottenCount == 1 { events.push(.forgotten(oldest)) }
            let outlook = outlook(of: oldest)
            change(oldest) { $0.displaced(outlook, at: $1) }
        }
        guard lives.keptCount > ownership.limit(of: plan, besideHeard: lives.heardCount) else { return }
        for other in lives.devices(where: \.isKept).prefix(1) { change(other) { $0.excluded(at: $1) } }
    }

    /// Removes a device that its rule does not publish.
    private func hide(_ device: PeerIdentifier) {
        let outlook = outlook(of: device)
        change(device) { $0.hidden(outlook, at: $1) }
    }

    /// Takes values that a device gave over a connection of a rule, unless that has changed since.
    func take(_ values: [Measurement], from device: PeerIdentifier, name: String?, _ connection: ConnectionRule) {
        guard !values.isEmpty, plan.rules.connections[device] == connection else { return }
        let known = lives[device]?.values?.subject
        let subject = GatewayRule.Subject(
            identifier: device, name: name ?? known?.name, services: known?.services ?? [],
            isEncrypted: plan.rules.key(of: device) != nil, formats: known?.formats ?? [])
        keep(values, of: subject, plan.rules.first(for: subject), rssi: lives[device]?.strength)
    }

    // MARK: Rules and the time

    /// Takes other rules, intervals and numbers of connections; the topics stay.
    ///
    /// A device that is not published any more is removed from the broker and from Home Assistant.
    ///
    /// - Parameters:
    ///   - connectionLimit: How many connections to devices there are at once; nil for as many as before.
    ///   - formats: The formats of sensors beside BTHome; nil for those of before.
    package func adopt(
        _ rules: GatewayRules, shortestInterval: Duration, longestInterval: Duration?, connectionLimit: Int? = nil,
        formats: SensorFormats? = nil
    ) {
        let pace = plan.pace
        plan.formats = formats ?? plan.formats
        (plan.rules, plan.connectionLimit) = (rules, connectionLimit ?? plan.connectionLimit)
        (plan.shortestInterval, plan.longestInterval) = (shortestInterval, longestInterval)
        ownership.adopt(plan)
        vault.keepKeys(of: rules)
        excludeKept()
        for device in lives.devices {
            if rules.connections[device] == nil { change(device) { life, _ in life.disconnectable() } }
            guard let subject = lives[device]?.values?.subject else { continue }
            let rule = rules.first(for: subject)
            // Without the key, or with a new one, no more frames of it are read.
            let isReadable = (rules.key(of: device) != nil) == (subject.isEncrypted == true || subject.isSealed)
            let outlook = outlook(of: device)
            change(device) {
                $0.ruled(by: rule, isReadable: isReadable, isSamePace: pace == plan.pace, outlook, at: $1)
            }
        }
    }

    /// Removes devices that no rule can publish, as far as they are this gateway's.
    ///
    /// - Parameter isOwn: Whether devices of other gateways are left alone.
    func excludeKept(isOwn: Bool = false) {
        for device in lives.devices(where: \.isKept) where !isOwn || ownership.isOwn(device) {
            if !plan.rules.mayPublish(device) { change(device) { $0.excluded(at: $1) } }
        }
    }

    /// Publishes the states whose time has come, and the absence of devices that have been silent for longer than their
    /// states hold. To be called about once a second.
    package func tick() {
        if isAgainDue { publishAgain() }
        changeAll { $0.stayedLinked(at: $1) }
        changeAll { $0.tick(at: $1) }
        publishPresses()
        if ownership.isShared { tickInGroup() }
        tickUnheard()
    }

    /// Publishes everything again at the next ``tick()``, however often it is called before: for a Home Assistant that
    /// has just started.
    package func publishAgainSoon() { isAgainDue = true }

    /// Publishes everything again: for a broker that may have lost it.
    package func publishAgain() {
        isAgainDue = false
        publish(plan.status(isOnline: true))
        let isShared = ownership.isShared
        changeAll { $0.lostByBroker(isShared: isShared, at: $1) }
    }

    // MARK: Lives

    /// Lets an event happen in the life of a device, and carries out the actions for it.
    ///
    /// - Parameter isBeginning: Whether a life may begin with it.
    func change(
        _ device: PeerIdentifier, isBeginning: Bool = false,
        _ event: (inout DeviceLife, DeviceLife.Moment) -> [DeviceLife.Action]
    ) {
        let moment = moment(of: device)
        carryOut(lives.change(device, isBeginning: isBeginning) { event(&$0, moment) }, of: device)
    }

    /// Lets an event happen in the lives of all devices.
    func changeAll(_ event: (inout DeviceLife, DeviceLife.Moment) -> [DeviceLife.Action]) {
        for device in lives.devices { change(device, event) }
    }

    func moment(of device: PeerIdentifier, after time: Duration = .zero) -> DeviceLife.Moment {
        let now = clock.elapsed
        return DeviceLife.Moment(
            time: now + time, date: clock.date, isOwner: ownership.owns(device, at: now),
            pace: plan.pace)
    }

    func outlook(of device: PeerIdentifier) -> DeviceLife.Outlook {
        let others = lives.keptCount - (lives[device]?.isKept == true ? 1 : 0)
        return DeviceLife.Outlook(
            mayBePublished: plan.rules.mayPublish(device),
            hasRoom: others < ownership.limit(of: plan, besideHeard: lives.heardCount),
            patience: plan.rules.patience(with: device))
    }
}
#endif
