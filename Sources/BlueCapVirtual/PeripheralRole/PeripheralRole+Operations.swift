// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension PeripheralRole {
    func perform(_ request: ChannelRequest) {
        guard isOn else { return channels.refuse(request) }
        let roles = peer.roles
        channels.perform(request, link: { _ in nil }) { psm in roles.contains { $0.channels.listens(on: psm) } }
    }

    func perform(_ request: PeripheralRequest) {
        if isKilled { return refuse(request.id) }
        guard isOn else { return reply(request.id, .poweredOff) }
        switch request.operation {
        case .add(let service): reply(request.id, add(service))
        case .remove(let service): reply(request.id, remove(service))
        case .advertise(let id, let advertisement): reply(request.id, advertise(id, advertisement))
        case .updateAdvertisement(let id, let advertisement): reply(request.id, updateAdvertisement(id, advertisement))
        case .stopAdvertising(let id): reply(request.id, stopAdvertising(id))
        case .disconnect(let central, let reason):
            disconnect(central, reason) { [weak self] in self?.reply(request.id, $0) }
        case .update(let attribute, let value, let central):
            update(attribute, value, central) { [weak self] in self?.reply(request.id, $0) }
        }
    }

    private func reply(_ id: RequestID, _ failure: OperationFailure?) {
        emit(.reply(id, failure.map { .failure($0) } ?? .success(())))
    }

    /// Sends a value to subscribers, in the way in which each subscribed; `finished` is called when all of them can
    /// take another or have confirmed it.
    private func update(
        _ attribute: AttributeID, _ value: Bytes, _ central: PeerIdentifier?,
        finished: @escaping (OperationFailure?) -> Void
    ) {
        guard let handle = characteristics[attribute].flatMap({ peer.handle(of: $0) }) else {
            return finished(.unsupported)
        }
        let links = subscribedLinks(attribute, central)
        guard !links.isEmpty else { return finished(.disconnected) }
        var (remaining, reached) = (links.count, 0)
        func done(_ isSent: Bool) {
            remaining -= 1
            reached += isSent ? 1 : 0
            if remaining == 0 { finished(reached > 0 ? nil : .disconnected) }
        }
        for link in links {
            if (link.session.configurations[handle] ?? []).contains(.notify) {
                link.notify(handle, value)
                link.whenRoom(done)
            } else {
                link.indicate(handle, value, finished: done)
            }
        }
    }
}
