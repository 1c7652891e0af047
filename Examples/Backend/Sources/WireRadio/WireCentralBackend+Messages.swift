// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The messages of devices. They are untrusted: an unexpected message is ignored, and bytes that are not a message end
/// the wire.
extension WireCentralBackend {
    /// Takes the bytes of a wire, on the executor; nil at its end.
    func receive(_ bytes: [UInt8]?, from peripheral: PeerIdentifier, over number: UInt64) {
        // An earlier wire of the device may end after the next one was attached.
        guard devices[peripheral]?.wireNumber == number else { return }
        guard let bytes, let messages = try? devices[peripheral]?.reader.messages(adding: bytes) else {
            return lose(peripheral)
        }
        // A message may end the wire. Those behind it are ignored then.
        for message in messages where devices[peripheral]?.wireNumber == number { take(message, from: peripheral) }
    }

    private func take(_ message: Message, from peripheral: PeerIdentifier) {
        switch message {
        case .advertisement(let packets, let rssi):
            sight(peripheral, packets, rssi)
        case .silence:
            devices[peripheral]?.sighting = nil
        case .connected(let number, let unit, let services):
            guard let link = devices[peripheral]?.link, link.number == number, !link.isUp else { return }
            devices[peripheral]?.isWanted = false
            devices[peripheral]?.link?.services = services
            sink?(.connected(peripheral, maximumTransmissionUnit: min(max(unit, 23), 517)))
        case .disconnected(let number):
            guard let link = devices[peripheral]?.link, link.number == number else { return }
            devices[peripheral]?.isWanted = false
            devices[peripheral]?.link = nil
            sink?(link.isUp ? .disconnected(peripheral, nil) : .connectFailed(peripheral, .backend(Self.refused)))
        case .services(let services):
            guard let before = devices[peripheral]?.link?.services else { return }
            devices[peripheral]?.link?.services = services
            let gone = before.filter { !services.contains($0) }.map { AttributeID(rawValue: $0.id) }
            sink?(.servicesChanged(peripheral, invalidated: gone))
        case .value(let request, let value):
            finish(request, of: peripheral, .success(.value(value)), for: .value)
        case .done(let request):
            finish(request, of: peripheral, .success(.done), for: .done)
        case .refusal(let request, let error):
            finish(request, of: peripheral, .failure(.att(error)), for: nil)
        case .notification(let attribute, let value):
            notify(peripheral, attribute, value)
        case .indication(let attribute, let value):
            notify(peripheral, attribute, value)
            devices[peripheral]?.wire?.send(.confirmation(attribute: attribute))
        case .connect, .disconnect, .read, .write, .command, .subscribe, .confirmation:
            // Only centrals send these.
            lose(peripheral)
        }
    }

    private func sight(_ peripheral: PeerIdentifier, _ packets: [Bytes], _ rssi: Int) {
        let advertisements = PeripheralAdvertisements(packets: packets)
        let sighting = Sighting(
            peripheral: peripheral, name: advertisements.localName, advertisements: advertisements,
            rssi: (-127...20).contains(rssi) ? rssi : nil)
        devices[peripheral]?.sighting = sighting
        if isScanning { sink?(.sighted(sighting)) }
        call(peripheral)
    }

    /// Answers a request, if this device owes an answer of this kind.
    private func finish(
        _ number: UInt64, of peripheral: PeerIdentifier, _ result: Result<CentralReply, OperationFailure>,
        for answer: Link.Answer?
    ) {
        let request = RequestID(rawValue: number)
        guard let pending = devices[peripheral]?.link?.pending[request], answer ?? pending == pending else { return }
        devices[peripheral]?.link?.pending[request] = nil
        sink?(.reply(request, result))
    }

    private func notify(_ peripheral: PeerIdentifier, _ attribute: UInt32, _ value: Bytes) {
        guard devices[peripheral]?.link?.isUp == true else { return }
        sink?(.valueChanged(peripheral, AttributeID(rawValue: attribute), value))
    }

    private static let refused = BackendFailure(
        name: "WireRadio.Refused", message: "the device does not accept a connection", isTransient: true)
}
