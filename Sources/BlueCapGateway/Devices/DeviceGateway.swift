// SPDX-License-Identifier: MIT

package import BlueCapBeacon
package import BlueCapCore
package import BlueCapRuntime
import Foundation

/// Publishes the measurements of the sensors that a central hears.
///
/// The values of a device are published as one state, a JSON object, beside its availability and its description for
/// Home Assistant. The broker keeps them all, and ``publishAgain()`` is for a broker that may have lost them.
package actor DeviceGateway {
    /// A change in the list of devices, or of the radio.
    package enum Event: Hashable, Sendable {
        /// A device is heard for the first time.
        case device(PeerIdentifier, name: String)
        /// A device gave way to another one, as there are too many.
        case forgotten(PeerIdentifier)
        /// The radio is gone, for a reason; devices are not heard any more.
        case radioLost(String)
        /// The radio is back.
        case radioReturned
    }

    package nonisolated let events = Multicaster<Event>(replay: .none)
    private let plan: GatewayPlan
    private let publisher: any MessagePublisher
    private let clock: BlueCapClock
    private var devices = OrderedTable<PeerIdentifier, GatewayDevice>()
    private let encoder: JSONEncoder
    private var isRadioOn = true
    /// How many encrypted frames were heard; they are not read.
    package private(set) var encryptedCount = 0

    /// - Parameters:
    ///   - plan: The topics, and how often a state is published.
    ///   - publisher: The broker.
    ///   - clock: The clock of the radio.
    package init(_ plan: GatewayPlan, publisher: any MessagePublisher, clock: BlueCapClock) {
        (self.plan, self.publisher, self.clock) = (plan, publisher, clock)
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
    }

    /// Takes the end of the radio: no device is available until it is heard again.
    package func radioIsLost(_ reason: String) {
        guard isRadioOn else { return }
        isRadioOn = false
        for identifier in devices.keys { setAvailable(false, identifier) }
        events.push(.radioLost(reason))
    }

    /// Takes the return of the radio.
    package func radioIsBack() {
        if isRadioOn { return }
        isRadioOn = true
        events.push(.radioReturned)
    }

    /// Takes a discovery of a scan.
    package func hear(_ discovery: Discovery) {
        radioIsBack()
        guard discovery.kind != .lost, let frame = BTHome(discovery.advertisements) else { return }
        hear(frame, from: discovery.peripheral.identifier, name: discovery.peripheral.name, rssi: discovery.rssi)
    }

    /// Takes a frame of a device.
    package func hear(_ frame: BTHome, from identifier: PeerIdentifier, name: String?, rssi: Int?) {
        if frame.isEncrypted { encryptedCount += 1 }
        let heard = Measurement.all(in: frame)
        guard !heard.isEmpty else { return }
        let time = clock.elapsed
        let isFirst = devices[identifier] == nil
        let known = name ?? devices[identifier]?.name ?? identifier.text
        var device = devices[identifier] ?? GatewayDevice(identifier, name: known, at: time)
        let isNew = device.hear(heard, name: known, rssi: rssi, at: time) || isFirst
        devices[identifier] = device
        if isFirst {
            events.push(.device(identifier, name: known))
            if devices.count > plan.maximumDevices { forgetOldest(but: identifier) }
        }
        if isNew { announce(device) }
        if device.isAvailable { return publishIfDue(identifier, at: time) }
        setAvailable(true, identifier)
        publish(identifier, at: time)
    }

    /// Publishes the states whose time has come, and that devices are not available which have been silent for longer
    /// than their states hold. To be called about once a second.
    package func tick() {
        let time = clock.elapsed
        for identifier in devices.keys {
            publishIfDue(identifier, at: time)
            if devices[identifier]?.isSilent(plan, at: time) == true { setAvailable(false, identifier) }
        }
    }

    /// Publishes everything again: for a broker that may have lost it, or for a Home Assistant that has just started.
    package func publishAgain() {
        publisher.publish(plan.status(isOnline: true))
        let time = clock.elapsed
        for identifier in devices.keys {
            guard let device = devices[identifier] else { continue }
            announce(device)
            publisher.publish(plan.availability(device.topicLevel, isOnline: device.isAvailable))
            publish(identifier, at: time)
        }
    }

    private func setAvailable(_ isAvailable: Bool, _ identifier: PeerIdentifier) {
        guard let device = devices[identifier], device.isAvailable != isAvailable else { return }
        devices[identifier]?.isAvailable = isAvailable
        publisher.publish(plan.availability(device.topicLevel, isOnline: isAvailable))
    }

    private func forgetOldest(but identifier: PeerIdentifier) {
        let others = devices.filter { $0.key != identifier }
        guard let oldest = others.min(by: { $0.value.heardAt < $1.value.heardAt }) else { return }
        devices[oldest.key] = nil
        events.push(.forgotten(oldest.key))
        for topic in plan.topics(oldest.value.topicLevel) {
            publisher.publish(BrokerMessage(topic: topic, payload: [], isRetained: true))
        }
    }

    private func announce(_ device: GatewayDevice) {
        guard let topic = plan.discoveryTopic(device.topicLevel) else { return }
        guard let payload = json(DeviceDiscovery(device, plan)) else { return }
        publisher.publish(BrokerMessage(topic: topic, payload: payload, isRetained: true))
    }

    private func publishIfDue(_ identifier: PeerIdentifier, at time: Duration) {
        if devices[identifier]?.isDue(plan, at: time) == true { publish(identifier, at: time) }
    }

    private func publish(_ identifier: PeerIdentifier, at time: Duration) {
        guard let device = devices[identifier] else { return }
        var state = Dictionary(uniqueKeysWithValues: device.measurements.map { ($0.key, $0.value) })
        state["rssi"] = device.rssi.map { .number(Double($0)) }
        guard let payload = json(state) else { return }
        devices[identifier]?.wasPublished(at: time)
        let expiry = UInt32(clamping: device.expiry(plan).components.seconds)
        publisher.publish(
            BrokerMessage(
                topic: plan.stateTopic(device.topicLevel), payload: payload, isRetained: true, expiry: expiry))
    }

    private func json(_ value: some Encodable) -> [UInt8]? { (try? encoder.encode(value)).map(Array.init) }
}
