// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// Whether a gateway publishes each device that it hears, or shares them with the gateways of a group.
enum Ownership {
    /// Each device is this gateway's.
    case alone
    case group(GatewayGroup)

    /// How long other gateways have to take devices that this one does not hear, before these are not available.
    static let grace = Duration.seconds(3)

    init(_ plan: GatewayPlan) {
        if let group = GatewayGroup(plan) { self = .group(group) } else { self = .alone }
    }

    var isShared: Bool { if case .group = self { true } else { false } }

    // MARK: Questions

    /// Whether this gateway publishes the device now.
    func owns(_ device: PeerIdentifier, at time: Duration) -> Bool { ask(true) { $0.owns(device, at: time) } }

    /// Whether the last claim of the device names this gateway, also while it publishes nothing.
    func isOwn(_ device: PeerIdentifier) -> Bool { ask(true) { $0.isOwn(device) } }

    /// Whether this gateway connects to the device now.
    func mayConnect(_ device: PeerIdentifier, at time: Duration) -> Bool {
        ask(true) { $0.mayConnect(device, at: time) }
    }

    /// The devices for which no gateway has had a connection left for longer than a limit.
    func crowded(for limit: Duration, at time: Duration) -> [PeerIdentifier] {
        ask([]) { $0.crowded(for: limit, at: time) }
    }

    /// How many devices may be known that are not heard.
    func limit(of plan: GatewayPlan, besideHeard count: Int) -> Int {
        ask(plan.maximumDevices - count) { _ in DeviceOwnership.maximumDevices }
    }

    /// The topics of the signs of life, where the broker sends none of this gateway's.
    var unansweredFilter: String? { ask(nil) { $0.unansweredFilter } }

    /// How many messages were not of a gateway, or of too many; nil without a group.
    var ignoredCount: Int? { ask(nil) { $0.ignoredCount } }

    private func ask<Answer>(_ alone: Answer, _ question: (GatewayGroup) -> Answer) -> Answer {
        if case .group(let group) = self { question(group) } else { alone }
    }

    // MARK: Events

    /// Takes other rules and another number of connections.
    mutating func adopt(_ plan: GatewayPlan) { change { $0.adopt(plan) } }

    /// Takes a connection to the broker.
    mutating func connect(at time: Duration) -> [GatewayGroup.Effect] { change { $0.connect(at: time) } ?? [] }

    /// Takes the loss of the broker.
    mutating func disconnect() -> [GatewayGroup.Effect] { change { $0.disconnect() } ?? [] }

    /// Takes a message of the topics of a group.
    mutating func take(_ message: BrokerMessage) -> [GatewayGroup.Effect] { change { $0.take(message) } ?? [] }

    /// Takes the time.
    mutating func tend(at time: Duration) -> [GatewayGroup.Effect] { change { $0.tend(at: time) } ?? [] }

    /// Takes a packet of a device, or the sign of its connection.
    mutating func hear(_ device: PeerIdentifier, rssi: Int?, at time: Duration) -> [GatewayGroup.Effect] {
        change { $0.hear(device, rssi: rssi, at: time) } ?? []
    }

    /// Takes the end of the radio.
    mutating func deafen() { change { $0.deafen() } }

    /// Takes the silence of a device that is too long.
    mutating func deafen(to device: PeerIdentifier) { change { $0.deafen(to: device) } }

    /// Takes the end of the messages of this gateway about the device.
    mutating func forget(_ device: PeerIdentifier) -> [GatewayGroup.Effect] { change { $0.forget(device) } ?? [] }

    /// Takes the news that an owner has to change, or may have to, messages of the device; or that it does not.
    mutating func see(needsOwner: Bool, of device: PeerIdentifier) {
        change { $0.see(needsOwner: needsOwner, of: device) }
    }

    /// Changes the group in its place; without one it does nothing.
    @discardableResult
    private mutating func change<Result>(_ event: (inout GatewayGroup) -> Result) -> Result? {
        guard case .group(var group) = self else { return nil }
        // The group has no second owner meanwhile, so that its tables are not copied.
        self = .alone
        defer { self = .group(group) }
        return event(&group)
    }
}
#endif
