// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapSerDe

/// The identity of the sender of a packet, and its presence.
extension DeviceGateway {
    /// The device of a frame: the address in it stays the same where that of its packets changes.
    static func device(_ address: Bytes?, _ sender: PeerIdentifier) -> PeerIdentifier {
        guard sender.isAddress, let address, address.count == 6, address.contains(where: { $0 != 0 }) else {
            return sender
        }
        return PeerIdentifier(address: address.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Takes a packet without values, or without regard to them, of a device whose presence may be published.
    func notice(_ device: PeerIdentifier, beacon: BeaconIdentity? = nil, _ discovery: Discovery) {
        var subject =
            lives[device]?.values?.subject
            ?? GatewayRule.Subject(identifier: device, name: nil, services: [], beacon: beacon)
        subject.name = discovery.peripheral.name ?? subject.name
        let services = discovery.advertisements.serviceUUIDs
        if !services.isEmpty { subject.services = services }
        // Everyone can send such a packet: a device with a key shows itself by its frames.
        guard let rule = plan.rules.first(for: subject), rule.times.presence != nil, plan.rules.key(of: device) == nil
        else {
            return
        }
        keep([], of: subject, rule, rssi: discovery.rssi)
    }
}
#endif
