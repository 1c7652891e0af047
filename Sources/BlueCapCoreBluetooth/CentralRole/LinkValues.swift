// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The values of a connected peripheral: reads, writes with a response, and notifications.
struct LinkValues {
    typealias Backend = CoreBluetoothCentralBackend

    private let link: CentralLink

    init(_ link: CentralLink) { self.link = link }

    // MARK: Reading

    /// Reads the whole value of a characteristic or a descriptor.
    func read(_ id: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        if let characteristic: CBCharacteristic = link.database.object(id) {
            link.requests.add(request, to: .read(id))
            link.peripheral.readValue(for: characteristic)
        } else if let descriptor: CBDescriptor = link.database.object(id) {
            link.requests.add(request, to: .read(id))
            link.peripheral.readValue(for: descriptor)
        } else {
            backend.refuseGone(request)
        }
    }

    /// A value of a characteristic has come, or could not be read.
    ///
    /// E1: an answer and a notification come by the same callback. While a read waits, the callback is its answer, and
    /// the manager passes the value to the listeners as well, because it may have been notified
    /// (``CentralFeatures/separatesReadsFromNotifications``). E2: the value is copied here, because the next callback
    /// overwrites it.
    func arrived(
        _ characteristic: CBCharacteristic, _ id: AttributeID, _ error: PlatformError?, _ backend: isolated Backend
    ) {
        if !link.requests.isEmpty, let request = link.requests.take(.read(id)) {
            let value = error == nil ? characteristic.value.map { Bytes($0) } ?? Bytes() : Bytes()
            return finish(request, error, .value(value), backend)
        }
        // E7: a value can come before the answer to its subscription, and is reported at once.
        guard error == nil, let value = characteristic.value else { return backend.countStray() }
        let bytes = Bytes(value)
        link.noteLength(ofNotified: bytes.count) { backend.emit($0) }
        backend.emit(.valueChanged(link.id, id, bytes))
    }

    /// The value of a descriptor has come, or could not be read.
    func arrived(_ descriptor: CBDescriptor, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let id = link.database.id(of: descriptor), let request = link.requests.take(.read(id)) else {
            return backend.countStray()
        }
        finish(request, error, .value(Bytes(object: descriptor.value)), backend)
    }

    // MARK: Writing

    /// Writes the whole value of a characteristic or a descriptor, with a response.
    func write(_ value: Bytes, to id: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        if let characteristic: CBCharacteristic = link.database.object(id) {
            link.requests.add(request, to: .write(id))
            link.peripheral.writeValue(value.data, for: characteristic, type: .withResponse)
        } else if let descriptor: CBDescriptor = link.database.object(id) {
            // D8: this write would raise an exception, which ends the process.
            if BluetoothUUID(descriptor.uuid) == "2902" {
                return backend.answer(request, .failure(.backend(.clientConfiguration)))
            }
            link.requests.add(request, to: .write(id))
            link.peripheral.writeValue(value.data, for: descriptor)
        } else {
            backend.refuseGone(request)
        }
    }

    /// A value was written, or refused. E4: a callback without a request is one for a command.
    func written(_ attribute: CBAttribute, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let id = link.database.id(of: attribute), let request = link.requests.take(.write(id)) else {
            return backend.countStray()
        }
        finish(request, error, .done, backend)
    }

    // MARK: Notifications

    /// Switches notifications on or off. E7: where a characteristic offers both, the system prefers notifications to
    /// indications.
    func setNotifying(_ isOn: Bool, of id: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        guard let characteristic: CBCharacteristic = link.database.object(id) else {
            return backend.refuseGone(request)
        }
        link.requests.add(request, to: .notifying(id))
        link.peripheral.setNotifyValue(isOn, for: characteristic)
    }

    /// Notifications were switched on or off, by a request or by the system (E7, E9).
    func notifyingChanged(_ characteristic: CBCharacteristic, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let id = link.database.id(of: characteristic) else { return backend.countStray() }
        if let request = link.requests.take(.notifying(id)) { return finish(request, error, .done, backend) }
        if characteristic.isNotifying { return backend.countStray() }
        let failure = error?.operationFailure ?? .backend(.notifyingStopped)
        backend.emit(.notifyingStopped(link.id, id, failure))
    }

    private func finish(
        _ request: RequestQueues.Entry, _ error: PlatformError?, _ reply: CentralReply, _ backend: isolated Backend
    ) {
        backend.emit(.reply(request.id, error.map { .failure($0.operationFailure) } ?? .success(reply)))
    }
}

extension BackendFailure {
    fileprivate static var clientConfiguration: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.clientConfiguration",
            message: "CoreBluetooth writes the Client Characteristic Configuration itself", advice: "use notifications")
    }

    fileprivate static var notifyingStopped: BackendFailure {
        BackendFailure(name: "CoreBluetooth.notifyingStopped", message: "the system ended the notifications")
    }
}
#endif
