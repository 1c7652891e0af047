// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

/// The advertisement, of which CoreBluetooth has one (H3).
final class LocalAdvertising {
    typealias Backend = CoreBluetoothPeripheralBackend

    private struct Current {
        let id: AdvertisementID
        var content: Advertisement
    }

    private struct Start {
        let request: RequestID
        /// Whether the advertisement was on the air before.
        let isChange: Bool
    }

    private var current: Current?
    /// The starts that CoreBluetooth has not answered, oldest first.
    private var starts: [Start] = []
    /// The advertisement that CoreBluetooth restored, until the manager advertises.
    private var restored: Advertisement?

    // MARK: Commands

    /// Puts an advertisement on the air. One that CoreBluetooth restored is taken over, and answered at once.
    func start(
        _ id: AdvertisementID, _ content: Advertisement, _ request: RequestID, _ manager: CBPeripheralManager,
        _ backend: isolated Backend
    ) {
        if let current, current.id != id { return backend.answer(request, .failure(.backend(.alreadyAdvertising))) }
        let isOnAir = manager.isAdvertising && restored.map { $0.isSentAlike(content) } ?? false
        restored = nil
        if isOnAir {
            current = Current(id: id, content: content)
            return backend.answer(request, .success(()))
        }
        begin(id, content, Start(request: request, isChange: false), manager)
    }

    /// Changes the advertisement: CoreBluetooth stops it and starts it again.
    func change(
        _ id: AdvertisementID, _ content: Advertisement, _ request: RequestID, _ manager: CBPeripheralManager,
        _ backend: isolated Backend
    ) {
        guard current?.id == id else { return backend.answer(request, .failure(.backend(.notAdvertising))) }
        begin(id, content, Start(request: request, isChange: true), manager)
    }

    /// Takes the advertisement from the air. H4: there is no answer to that.
    func stop(_ id: AdvertisementID, _ manager: CBPeripheralManager) {
        guard current?.id == id else { return }
        current = nil
        manager.stopAdvertising()
    }

    private func begin(
        _ id: AdvertisementID, _ content: Advertisement, _ start: Start, _ manager: CBPeripheralManager
    ) {
        if manager.isAdvertising || current != nil { manager.stopAdvertising() }
        current = Current(id: id, content: content)
        starts.append(start)
        manager.startAdvertising(content.dictionary)
    }

    // MARK: Callbacks

    /// A start was carried out, or refused (H4).
    func started(_ error: PlatformError?, _ backend: isolated Backend) {
        if starts.isEmpty { return backend.countStray() }
        let start = starts.removeFirst()
        let isLast = starts.isEmpty
        let ended = current
        if error != nil, isLast { current = nil }
        backend.emit(.reply(start.request, error.map { .failure($0.operationFailure) } ?? .success(())))
        // It was on the air before, and is no longer.
        if let error, let ended, isLast, start.isChange {
            backend.emit(.advertisingEnded(ended.id, error.linkFailure))
        }
    }

    /// Nothing is advertised any more.
    func drop() {
        current = nil
        restored = nil
        starts = []
    }

    /// Keeps the advertisement that CoreBluetooth restored (R3).
    func restore(_ advertisement: Advertisement?) { restored = advertisement }
}

extension Advertisement {
    /// The two parts that CoreBluetooth sends (H1).
    fileprivate var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        if let localName { dictionary[CBAdvertisementDataLocalNameKey] = localName }
        if !serviceUUIDs.isEmpty { dictionary[CBAdvertisementDataServiceUUIDsKey] = serviceUUIDs.map(\.object) }
        return dictionary
    }

    /// Creates the advertisement of a dictionary that CoreBluetooth restored.
    init(dictionary: [String: Any]) {
        self.init(
            localName: dictionary[CBAdvertisementDataLocalNameKey] as? String,
            serviceUUIDs: (dictionary[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []).compactMap {
                BluetoothUUID($0)
            })
    }

    /// Whether CoreBluetooth sends the same for both.
    fileprivate func isSentAlike(_ other: Advertisement) -> Bool {
        localName == other.localName && serviceUUIDs == other.serviceUUIDs
    }
}

extension BackendFailure {
    fileprivate static var alreadyAdvertising: BackendFailure {
        BackendFailure(
            name: "CBError.alreadyAdvertising", message: "CoreBluetooth has one advertisement",
            advice: "stop the other advertisement first")
    }

    fileprivate static var notAdvertising: BackendFailure {
        BackendFailure(name: "CoreBluetooth.notAdvertising", message: "this advertisement is not on the air")
    }
}
#endif
