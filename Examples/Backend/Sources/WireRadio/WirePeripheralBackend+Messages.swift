// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The messages of centrals. They are untrusted: an unexpected message is ignored or refused, and bytes that are not a
/// message end the wire.
extension WirePeripheralBackend {
    /// The largest number of accesses of all centrals that may wait for the manager's answer.
    private static let maximumAccessCount = 256

    /// Takes the bytes of a wire, on the executor; nil at its end.
    func receive(_ bytes: [UInt8]?, from central: PeerIdentifier, over number: UInt64) {
        // An earlier wire of the central may end after the next one was attached.
        guard centrals[central]?.wireNumber == number else { return }
        guard let bytes, let messages = try? centrals[central]?.reader.messages(adding: bytes) else {
            return lose(central)
        }
        // A message may end the wire. Those behind it are ignored then.
        for message in messages where centrals[central]?.wireNumber == number { take(message, from: central) }
    }

    private func take(_ message: Message, from central: PeerIdentifier) {
        switch message {
        case .connect(let link):
            accept(link, from: central)
        case .disconnect(let link):
            if centrals[central]?.link == link { endLink(of: central) }
        case _ where centrals[central]?.link == nil:
            // The messages below need a link. The central sent this one before it knew that the link has ended.
            return
        case .read(let request, let number):
            read(number, request, central)
        case .write(let request, let number, let value):
            write(value, to: number, request, central)
        case .command(let number, let value):
            // An odd number belongs to a characteristic's configuration, which takes no commands.
            guard number.isMultiple(of: 2), has(number) else { return }
            report(.write(value, offset: 0, .command), of: AttributeID(onWire: number), by: central)
        case .subscribe(let request, let number, let isOn):
            subscribe(central, to: AttributeID(onWire: number), isOn, request)
        case .confirmation(let number):
            finishUpdate(of: AttributeID(onWire: number), for: central)
        default:
            // Only devices send these.
            lose(central)
        }
    }

    private func accept(_ link: UInt64, from central: PeerIdentifier) {
        endLink(of: central)
        guard isOn, advertisement?.kind == .connectable else {
            centrals[central]?.wire.send(.disconnected(link: link))
            return
        }
        centrals[central]?.link = link
        centrals[central]?.wire.send(
            .connected(
                link: link, maximumTransmissionUnit: maximumTransmissionUnit, services: services.map(WireService.init)))
    }

    // MARK: Accesses

    private func read(_ number: UInt32, _ request: UInt64, _ central: PeerIdentifier) {
        guard has(number) else { return refuse(request, .invalidHandle, central) }
        let attribute = AttributeID(onWire: number)
        if number.isMultiple(of: 2) {
            report(
                .read(offset: 0), of: attribute, by: central, Access(central: central, request: request, isRead: true))
        } else {
            // The client configuration is this backend's own.
            let isSubscribed = centrals[central]?.subscriptions.contains(attribute) == true
            centrals[central]?.wire.send(.value(request: request, value: [isSubscribed ? 1 : 0, 0]))
        }
    }

    private func write(_ value: Bytes, to number: UInt32, _ request: UInt64, _ central: PeerIdentifier) {
        guard has(number) else { return refuse(request, .invalidHandle, central) }
        // Centrals subscribe by a message, and not by writing the configuration.
        guard number.isMultiple(of: 2) else { return refuse(request, .writeNotPermitted, central) }
        let access = Access(central: central, request: request, isRead: false)
        report(.write(value, offset: 0, .request), of: AttributeID(onWire: number), by: central, access)
    }

    /// Hands an access to the manager, and keeps it until the manager responds. A command has no answer, so it is not
    /// kept.
    private func report(
        _ kind: AttributeAccess.Kind, of attribute: AttributeID, by central: PeerIdentifier, _ access: Access? = nil
    ) {
        if let access, accesses.count >= Self.maximumAccessCount {
            return refuse(access.request, .insufficientResources, central)
        }
        let id = AccessID(rawValue: makeNumber())
        accesses[id] = access
        sink?(.access(AttributeAccess(id: id, attribute: attribute, central: facts(of: central), kind: kind)))
    }

    private func refuse(_ request: UInt64, _ error: ATTError, _ central: PeerIdentifier) {
        centrals[central]?.wire.send(.refusal(request: request, error: error))
    }

    /// Whether the database has an attribute with the number.
    private func has(_ number: UInt32) -> Bool {
        services.lazy.flatMap(\.characteristics).contains { characteristic in
            number == characteristic.id.onWire || number == characteristic.id.onWire + 1 && characteristic.canUpdate
                || characteristic.descriptors.contains { $0.id.onWire == number }
        }
    }

    // MARK: Subscriptions

    private func subscribe(_ central: PeerIdentifier, to attribute: AttributeID, _ isOn: Bool, _ request: UInt64) {
        guard characteristic(attribute)?.canUpdate == true else {
            return refuse(request, .requestNotSupported, central)
        }
        centrals[central]?.wire.send(.done(request: request))
        if isOn {
            let isNew = centrals[central]?.subscriptions.insert(attribute).inserted == true
            if isNew { sink?(.subscribed(attribute, facts(of: central))) }
        } else if centrals[central]?.subscriptions.remove(attribute) != nil {
            finishUpdate(of: attribute, for: central)
            sink?(.unsubscribed(attribute, facts(of: central)))
        }
    }
}
