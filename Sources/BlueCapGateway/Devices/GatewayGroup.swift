// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// The part of a gateway in its group: which devices it publishes, by messages between gateways.
struct GatewayGroup {
    /// A message to be published, or a change.
    enum Effect {
        case publish(BrokerMessage)
        /// The device is this gateway's from now on.
        case gained(PeerIdentifier)
        /// It is this gateway's no more.
        case lost(PeerIdentifier)
        /// The broker has this availability of a device, which may be an earlier owner's; an empty one is none.
        case availability(PeerIdentifier, [UInt8])
        /// Another gateway has published a press of the device.
        case pressed(PeerIdentifier, PressLog.Heard)
    }

    private let group: String
    private let plan: GatewayPlan
    private var ownership: DeviceOwnership
    private var malformedCount = 0

    /// - Parameter plan: Its topics; nil is returned where it has no group.
    init?(_ plan: GatewayPlan) {
        guard let group = plan.group else { return nil }
        (self.group, self.plan) = (group, plan)
        ownership = DeviceOwnership(name: plan.name)
        adopt(plan)
    }

    /// Takes to which devices their owner stays connected. A rule that connects only now and then has one connection
    /// left for it.
    mutating func adopt(_ plan: GatewayPlan) {
        let connections = plan.rules.connections
        let lasting = connections.filter(\.value.isLasting).keys
        ownership.limitLinks(to: Set(lasting), plan.connectionLimit - (lasting.count < connections.count ? 1 : 0))
    }

    /// How many messages were not of a gateway, or of too many.
    var ignoredCount: Int { malformedCount + ownership.ignoredCount }

    func owns(_ device: PeerIdentifier, at time: Duration) -> Bool { ownership.owns(device, at: time) }

    /// Whether the last claim of the device names this gateway, also while it publishes nothing.
    func isOwn(_ device: PeerIdentifier) -> Bool { ownership.isOwn(device) }

    /// Whether this gateway connects to the device now.
    func mayConnect(_ device: PeerIdentifier, at time: Duration) -> Bool { ownership.mayConnect(device, at: time) }

    /// The devices for which no gateway has had a connection left for longer than a limit.
    func crowded(for limit: Duration, at time: Duration) -> [PeerIdentifier] { ownership.crowded(for: limit, at: time) }

    /// The topics of the signs of life, where the broker sends none of this gateway's.
    var unansweredFilter: String? {
        ownership.isUnanswered ? GatewayPlan.aliveFilter(plan.prefix, group) : nil
    }

    mutating func connect(at time: Duration) -> [Effect] { effects(ownership.connect(at: time)) }

    mutating func disconnect() -> [Effect] { effects(ownership.disconnect()) }

    mutating func hear(_ device: PeerIdentifier, rssi: Int?, at time: Duration) -> [Effect] {
        effects(ownership.hear(device, rssi: rssi, at: time))
    }

    mutating func deafen() { ownership.deafen() }

    mutating func deafen(to device: PeerIdentifier) { ownership.deafen(to: device) }

    mutating func forget(_ device: PeerIdentifier) -> [Effect] { effects(ownership.forget(device)) }

    /// Takes the news that an owner has to change, or may have to, messages of the device; or that it does not.
    mutating func see(needsOwner: Bool, of device: PeerIdentifier) {
        ownership.see(needsOwner: needsOwner, of: device)
    }

    mutating func tend(at time: Duration) -> [Effect] { effects(ownership.tend(at: time)) }

    /// Takes a message of the topics of a group.
    mutating func take(_ message: BrokerMessage) -> [Effect] {
        let topic = message.topic
        let claims = GatewayPlan.ownerFilter(plan.prefix, group)
        if topic.hasSuffix("/owner"), let device = plan.level(of: topic, in: claims).flatMap({ plan.device(level: $0) })
        {
            let claim = DeviceClaim(payload: message.payload)
            if claim == nil, !message.payload.isEmpty { malformedCount += 1 }
            return effects(ownership.see(claim, of: device))
        }
        if topic.hasSuffix("/alive"), let name = plan.level(of: topic, in: GatewayPlan.aliveFilter(plan.prefix, group)),
            message.payload.count <= 20, let number = UInt64(message.text)
        {
            ownership.see(signOfLife: number, of: name)
        } else if topic.hasSuffix("/status"), let name = plan.level(of: topic, in: plan.statusFilter) {
            ownership.see(isOnline: message.text != "offline", of: name)
        } else if topic.hasSuffix("/press"), let message = PressMessage(payload: message.payload),
            let device = plan.level(of: topic, in: plan.pressTopic("+")).flatMap({ plan.device(level: $0) })
        {
            // The own ones come back, too.
            if message.gateway != plan.name { return [.pressed(device, message.press)] }
        } else if let device = plan.device(available: topic) {
            return [.availability(device, message.payload)]
        } else {
            malformedCount += 1
        }
        return []
    }

    private func effects(_ actions: [DeviceOwnership.Action]) -> [Effect] {
        actions.map { action in
            switch action {
            case .claim(let device, let claim):
                return .publish(message(of: device, claim.payload, expiry: DeviceOwnership.claimExpiry))
            case .release(let device): return .publish(message(of: device, [], expiry: nil))
            case .signOfLife(let number):
                var message = BrokerMessage(topic: "\(plan.prefix)/\(group)/\(plan.name)/alive", text: "\(number)")
                message.isUrgent = true
                return .publish(message)
            case .gained(let device): return .gained(device)
            case .lost(let device): return .lost(device)
            }
        }
    }

    private func message(of device: PeerIdentifier, _ payload: [UInt8], expiry: UInt32?) -> BrokerMessage {
        let level = TopicText.device(device.text)
        var message = BrokerMessage(
            topic: "\(plan.prefix)/\(group)/\(level)/owner", payload: payload, isRetained: true, expiry: expiry)
        // A release stays behind the messages that remove the device, which would follow the next owner's.
        message.isUrgent = !payload.isEmpty
        return message
    }
}
#endif
