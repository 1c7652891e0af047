// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import Foundation

/// The messages and reports that the lives of devices ask for.
extension DeviceGateway {
    /// Carries out the actions for an event in the life of a device.
    func carryOut(_ actions: [DeviceLife.Action], of device: PeerIdentifier) {
        // Most packets ask for no message.
        lazy var level = lives[device]?.topicLevel ?? TopicText.device(device.text)
        for action in actions {
            switch action {
            case .describe: describe(device, level)
            case .publishAvailability(let isAvailable): publish(plan.availability(level, isOnline: isAvailable))
            case .publishState: publishState(of: device, level)
            case .publishPress(let press): publish(plan.press(press, level))
            case .remove:
                for topic in plan.topics(level) {
                    publish(BrokerMessage(topic: topic, payload: [], isRetained: true))
                }
            case .claim(let rssi): act(on: ownership.hear(device, rssi: rssi, at: clock.elapsed))
            case .release: act(on: ownership.forget(device))
            case .seekOwner(let isNeeded): ownership.see(needsOwner: isNeeded, of: device)
            case .report: events.push(.removed(device))
            }
        }
    }

    private func describe(_ device: PeerIdentifier, _ level: String) {
        guard let topic = plan.discoveryTopic(level), let values = lives[device]?.values else { return }
        guard let payload = try? encoder.encode(DeviceDiscovery(values, level, plan)) else { return }
        publish(BrokerMessage(topic: topic, payload: Array(payload), isRetained: true))
    }

    private func publishState(of device: PeerIdentifier, _ level: String) {
        guard let values = lives[device]?.values else { return }
        publish(
            BrokerMessage(
                topic: plan.stateTopic(level), payload: StateJSON(values).bytes, isRetained: true,
                expiry: values.stateExpiry(plan.pace).map { UInt32(clamping: $0.components.seconds) }))
    }

    func publish(_ message: BrokerMessage) { publisher.publish(message) }
}
#endif
