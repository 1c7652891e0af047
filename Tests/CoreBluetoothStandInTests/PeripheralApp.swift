// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import CoreBluetooth
import Dispatch
import Foundation

// SAFETY: everything but `host`, `log` and the queue is used on the queue alone, by `run` and by callbacks.
/// An app in the peripheral role: it writes down each call, and answers reads and writes.
final class PeripheralApp: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let host: StandIn
    let log = AppLog()
    var manager: CBPeripheralManager?
    /// The value that answers reads.
    var value = Data([1, 2, 3])
    var result = CBATTError.success
    var characteristic: CBMutableCharacteristic?
    var service: CBMutableService?
    let queue = DispatchQueue(label: "PeripheralApp")

    init(on host: StandIn) {
        self.host = host
        host.attach(to: queue)
    }

    /// Runs `body` on the delegate queue.
    func run<Value: Sendable>(_ body: @escaping @Sendable (PeripheralApp) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body(self)) }
        }
    }

    func start(restoring identifier: String? = nil) async {
        await run { app in
            let options = identifier.map {
                [CBPeripheralManagerOptionRestoreIdentifierKey: NSString(string: $0) as Any]
            }
            app.manager = CBPeripheralManager(delegate: app, queue: app.queue, options: options)
        }
    }

    /// Moves time until a line with this beginning was written.
    func wait(for line: String, count: Int = 1, with others: [StandIn] = []) async throws -> Bool {
        try await StandIn.advance([host] + others) { self.log.count(line) >= count }
    }

    /// Offers a service with one characteristic of every use, and advertises it.
    func offer(with others: [StandIn] = []) async throws -> Bool {
        guard try await wait(for: "state 5", with: others) else { return false }
        await run { app in
            let characteristic = CBMutableCharacteristic(
                type: CBUUID(string: "FFE1"),
                properties: [.read, .write, .writeWithoutResponse, .notify], value: nil,
                permissions: [.readable, .writeable])
            let text = CBMutableDescriptor(
                type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: NSString(string: "text"))
            characteristic.descriptors = [text]
            let fixed = CBMutableCharacteristic(
                type: CBUUID(string: "FFE2"), properties: .read, value: Data([9]), permissions: .readable)
            let service = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
            service.characteristics = [characteristic, fixed]
            app.characteristic = characteristic
            app.service = service
            app.manager?.add(service)
            app.manager?.startAdvertising([
                CBAdvertisementDataLocalNameKey: NSString(string: "Lamp"),
                CBAdvertisementDataServiceUUIDsKey: NSArray(array: [CBUUID(string: "FFE0")]),
            ])
        }
        return try await wait(for: "advertising", with: others)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        log.add("state \(peripheral.state.rawValue)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let data = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        service = services.first
        characteristic = service?.characteristics?.first as? CBMutableCharacteristic
        log.add(
            "restored \(services.map(\.uuid.uuidString)) subscribers \(characteristic?.subscribedCentrals?.count ?? 0) "
                + "name \(data?[CBAdvertisementDataLocalNameKey] as? String ?? "-")")
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        log.add("advertising" + AppLog.text(error))
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        log.add("added" + AppLog.text(error))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { log.add("subscribed") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) { log.add("unsubscribed") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        log.add("read \(request.offset)")
        request.value = value.dropFirst(request.offset)
        peripheral.respond(to: request, withResult: result)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        log.add("write \(requests.map { "\($0.offset)+\($0.value?.count ?? -1)" })")
        peripheral.respond(to: requests[0], withResult: result)
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { log.add("ready") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) { log.add("published" + AppLog.text(error)) }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) { log.add("unpublished" + AppLog.text(error)) }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        log.add("opened" + AppLog.text(error))
    }
}
