// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The subscribers, and the values that go out to them.
///
/// J1: CoreBluetooth has one queue for all characteristics. When it is full, the value has to be given again once there
/// is room, which one callback reports for all. The values wait here in one queue, which is filled and emptied on the
/// executor.
final class LocalUpdates {
    typealias Backend = CoreBluetoothPeripheralBackend

    private struct Update {
        let request: RequestID
        let characteristic: AttributeID
        let value: Bytes
        let central: PeerIdentifier?
    }

    private struct Subscription: Hashable {
        let characteristic: AttributeID
        let central: PeerIdentifier
    }

    private var queue = RingBuffer<Update>()
    /// The subscriptions, with the longest value that each central takes.
    private var subscriptions: [Subscription: Int] = [:]

    // MARK: Updates

    /// Sends a value when there is room for it. J3: a value that is longer than a central takes is cut.
    func add(
        _ value: Bytes, of characteristic: AttributeID, to central: PeerIdentifier?, _ request: RequestID,
        _ backend: isolated Backend
    ) {
        queue.append(Update(request: request, characteristic: characteristic, value: value, central: central))
        pump(backend)
    }

    /// Sends the values that wait, as long as there is room.
    func pump(_ backend: isolated Backend) {
        guard let manager = backend.radio.poweredOn else { return }
        while let update = queue.first, let result = send(update, manager, backend) {
            _ = queue.popFirst()
            backend.answer(update.request, result)
        }
    }

    /// - Returns: The end of the update; nil while there is no room.
    private func send(
        _ update: Update, _ manager: CBPeripheralManager, _ backend: isolated Backend
    ) -> Result<Void, OperationFailure>? {
        guard let characteristic = backend.database[update.characteristic] else { return .failure(.disconnected) }
        // J2: without a subscriber CoreBluetooth's answer means nothing.
        let subscribers = (characteristic.subscribedCentrals ?? []).filter { central in
            update.central.map { $0 == Central(central).identifier } ?? true
        }
        if subscribers.isEmpty { return .failure(.disconnected) }
        for central in subscribers { noteLength(Central(central), backend) { backend.report($0) } }
        // J4: CoreBluetooth does not report confirmations, so an indication ends when it is handed over.
        let isTaken = manager.updateValue(
            update.value.data, for: characteristic, onSubscribedCentrals: update.central == nil ? nil : subscribers)
        return isTaken ? .success(()) : nil
    }

    /// The characteristics are offered no longer, and so their subscriptions have ended.
    func forget(_ characteristics: Set<AttributeID>) {
        subscriptions = subscriptions.filter { !characteristics.contains($0.key.characteristic) }
    }

    /// Nothing is subscribed any more, and the requests have failed.
    func removeAll() {
        queue = RingBuffer()
        subscriptions = [:]
    }

    // MARK: Subscribers

    /// A central has subscribed. J5: it is reported once, however often CoreBluetooth reports it.
    func subscribed(_ central: CBCentral, _ characteristic: CBCharacteristic, _ backend: isolated Backend) {
        guard let id = backend.database.id(of: characteristic) else { return backend.countStray() }
        subscribed(Central(central), id) { backend.emit($0) }
    }

    private func subscribed(_ central: Central, _ id: AttributeID, _ report: (PeripheralEvent) -> Void) {
        guard let peer = central.identifier else { return }
        let subscription = Subscription(characteristic: id, central: peer)
        let former = subscriptions.updateValue(central.maximumUpdateLength ?? 0, forKey: subscription)
        if former == nil { report(.subscribed(id, central)) }
    }

    /// A central has unsubscribed, or its link has ended.
    func unsubscribed(_ central: CBCentral, _ characteristic: CBCharacteristic, _ backend: isolated Backend) {
        let central = Central(central)
        guard let id = backend.database.id(of: characteristic), let peer = central.identifier,
            subscriptions.removeValue(forKey: Subscription(characteristic: id, central: peer)) != nil
        else { return backend.countStray() }
        backend.emit(.unsubscribed(id, central))
        // A value that waits for room may have lost its last subscriber.
        pump(backend)
    }

    /// R3: a restored characteristic has its subscribers, of which no callback tells.
    func restoreSubscribers(of characteristics: [AttributeID], _ backend: isolated Backend) {
        for id in characteristics {
            for central in backend.database[id]?.subscribedCentrals ?? [] {
                subscribed(Central(central), id) { backend.report($0) }
            }
        }
    }

    // MARK: The length of values

    /// I7: the longest value that a central takes changes without a callback, so each access of it is an occasion to
    /// look.
    func noteLength(_ central: Central, _ backend: isolated Backend) {
        noteLength(central, backend) { backend.emit($0) }
    }

    private func noteLength(
        _ central: Central, _ backend: isolated Backend, _ report: (PeripheralEvent) -> Void
    ) {
        guard let length = central.maximumUpdateLength else { return }
        for (subscription, former) in subscriptions
        where subscription.central == central.identifier && former != length {
            subscriptions[subscription] = length
            report(.subscriberChanged(subscription.characteristic, central))
        }
    }
}
#endif
