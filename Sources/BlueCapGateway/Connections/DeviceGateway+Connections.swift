// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// The questions of connections to a gateway, and their values.
extension DeviceGateway {
    /// Whether a rule connects to a device.
    package var connectsToDevices: Bool { !plan.rules.connections.isEmpty }

    /// The devices to connect to, with their rules: within a group this gateway's.
    var connections: [PeerIdentifier: ConnectionRule] {
        let time = clock.elapsed
        return plan.rules.connections.filter { ownership.mayConnect($0.key, at: time) }
    }

    /// The devices of a group for which none of its gateways has had a connection left for half a minute.
    var crowded: [PeerIdentifier] { ownership.crowded(for: .seconds(30), at: clock.elapsed) }

    /// The device for which a command is that has the topic, and whether it is this gateway's.
    func connection(commandedBy topic: String) -> (device: PeerIdentifier, rule: ConnectionRule, isOwn: Bool)? {
        guard let device = plan.level(of: topic, in: plan.setFilter).flatMap({ plan.device(level: $0) }),
            let rule = plan.rules.connections[device]
        else { return nil }
        return (device, rule, ownership.isOwn(device))
    }

    /// Takes the beginning or the end of a connection to a device that stays connected.
    func setLinked(_ isLinked: Bool, _ device: PeerIdentifier, _ connection: ConnectionRule) {
        if !isLinked { return change(device) { $0.unlinked(at: $1) } }
        guard plan.rules.connections[device] == connection else { return }
        change(device, isBeginning: true) { $0.linked(at: $1) }
    }
}
#endif
