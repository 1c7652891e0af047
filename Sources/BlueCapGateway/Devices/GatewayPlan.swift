// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapBeacon
import BlueCapCore

/// The topics of a gateway, and how often it publishes.
package struct GatewayPlan: Hashable, Sendable {
    /// The first level of all topics.
    package var prefix = "bluecap"
    /// The name of this gateway, the second level, in characters that it may have there.
    package var name: String { didSet { name = TopicText.level(name) } }
    /// The name that several gateways share, of which one publishes each device; nil for a gateway of its own. It is
    /// the second level of the topics of devices, which so stay the same in a hand-over.
    package var group: String?
    /// The first level of the topics of Home Assistant's discovery; nil for none.
    package var discoveryPrefix: String? = "homeassistant"
    /// The shortest time between two states, of a device whose state changes.
    package var shortestInterval: Duration = .seconds(1)
    /// The time after which a state that stays the same is published again, while its device is heard; nil for a
    /// minute, or for the shortest interval where that is longer.
    package var longestInterval: Duration?
    /// The times between two states of a device without a rule.
    var pace: DevicePace {
        DevicePace(shortest: shortestInterval, longest: longestInterval ?? max(.seconds(60), shortestInterval))
    }

    /// The formats of sensors beside BTHome.
    package internal(set) var formats = SensorFormats.shipped
    /// How single devices are published.
    package var rules = GatewayRules()
    /// How many devices are kept; the longest unseen is forgotten first.
    package var maximumDevices = 512
    /// How many connections to devices there are at once.
    package var connectionLimit = 4

    package init(name: String) { self.name = TopicText.level(name) }

    /// Whether the devices may be other gateways', too.
    package var isOfGroup: Bool { if case .some = group { true } else { false } }

    /// Whether the gateway is there: `online` or `offline`, retained.
    package var statusTopic: String { "\(prefix)/\(name)/status" }

    package func stateTopic(_ device: String) -> String { "\(prefix)/\(group ?? name)/\(device)/state" }

    package func availabilityTopic(_ device: String) -> String {
        "\(prefix)/\(group ?? name)/\(device)/availability"
    }

    /// The topic of the presses of a device, which the broker does not keep.
    package func pressTopic(_ device: String) -> String { "\(prefix)/\(group ?? name)/\(device)/press" }

    /// The topics that a gateway subscribes to.
    package var filters: [String] {
        var filters = [availabilityFilter]
        if let group {
            filters += [Self.ownerFilter(prefix, group), Self.aliveFilter(prefix, group), statusFilter]
            filters.append(pressTopic("+"))
        }
        if rules.allowsCommands { filters.append(setFilter) }
        return filters + [birthTopic].compactMap(\.self)
    }

    /// The claims of all devices.
    static func ownerFilter(_ prefix: String, _ group: String) -> String { "\(prefix)/\(group)/+/owner" }

    /// The signs of life of all gateways.
    static func aliveFilter(_ prefix: String, _ group: String) -> String { "\(prefix)/\(group)/+/alive" }

    /// The statuses of all gateways.
    var statusFilter: String { "\(prefix)/+/status" }

    /// The level of a topic in the place of `+`; nil for a topic that the filter does not fit.
    func level(of topic: String, in filter: String) -> String? {
        guard let plus = filter.firstIndex(of: "+") else { return nil }
        let (head, tail) = (filter[..<plus], filter[filter.index(after: plus)...])
        guard topic.hasPrefix(head), topic.hasSuffix(tail), topic.utf8.count > head.utf8.count + tail.utf8.count else {
            return nil
        }
        let level = String(topic.dropFirst(head.count).dropLast(tail.count))
        return TopicText.level(level) == level ? level : nil
    }

    /// The topics of commands for devices.
    package var setFilter: String { "\(prefix)/\(group ?? name)/+/set" }

    /// Whether a topic is one of ``setFilter``, whatever stands in the place of the device.
    package func isCommand(_ topic: String) -> Bool {
        topic.hasPrefix(setFilter.dropLast(5)) && topic.hasSuffix("/set")
    }

    /// The topics of the availability of all devices.
    package var availabilityFilter: String { availabilityTopic("+") }

    /// The address of the device whose availability has the topic; nil for another topic, and for a device without an
    /// address.
    func device(available topic: String) -> PeerIdentifier? {
        level(of: topic, in: availabilityFilter).flatMap { device(level: $0) }
    }

    /// The address of the device of a level, or the identity of a beacon; nil where it is none.
    func device(level: String) -> PeerIdentifier? {
        if let beacon = BeaconIdentity(level: level) { return beacon.device }
        guard level.utf8.count == 12 else { return nil }
        let digits = Array(level)
        let octets = stride(from: 0, to: digits.count - 1, by: 2).map { String(digits[$0...($0 + 1)]) }
        let identifier = PeerIdentifier(octets.joined(separator: ":"))
        return identifier.isAddress && TopicText.device(identifier.text) == level ? identifier : nil
    }

    /// Whether a message that an earlier run has left is one of this run, which may have other topics: the topics of
    /// before would keep it for ever. A message that removes another from the broker is one, but for a group.
    package func takesOver(_ message: BrokerMessage) -> Bool {
        // The device may be another gateway's of the group.
        if isOfGroup { return false }
        let head = "\(prefix)/\(name)/"
        if message.payload.isEmpty || message.topic.hasPrefix(head) { return true }
        guard let discoveryPrefix, message.topic.hasPrefix("\(discoveryPrefix)/device/") else { return false }
        // A description names the topics of its device.
        return message.text.contains("\"\(head)")
    }

    /// All topics of a device, first the topic of its description.
    func topics(_ device: String) -> [String] {
        [discoveryTopic(device), stateTopic(device), availabilityTopic(device)].compactMap(\.self)
    }

    /// The topic under which Home Assistant says that it has started.
    package var birthTopic: String? { discoveryPrefix.map { "\($0)/status" } }

    package func discoveryTopic(_ device: String) -> String? {
        discoveryPrefix.map { "\($0)/device/bluecap_\(device)/config" }
    }

    /// The message that says that the gateway is there, or that it is not.
    package func status(isOnline: Bool) -> BrokerMessage { Self.presence(statusTopic, isOnline) }

    /// The message that says that a device is heard, or that it is not any more.
    func availability(_ device: String, isOnline: Bool) -> BrokerMessage {
        Self.presence(availabilityTopic(device), isOnline)
    }

    private static func presence(_ topic: String, _ isOnline: Bool) -> BrokerMessage {
        BrokerMessage(topic: topic, text: isOnline ? "online" : "offline", isRetained: true)
    }
}
#endif
