// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual
import CoreBluetooth
import Dispatch
import Foundation

// SAFETY: everything but `host`, `log` and the queue is used on the queue alone, by `run` and by callbacks.
/// An app in the central role: a delegate of all three protocols that writes down each call.
final class CentralApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    let host: StandIn
    let log = AppLog()
    var manager: CBCentralManager?
    var peripherals: [CBPeripheral] = []
    var advertisements: [[String: Any]] = []
    let queue = DispatchQueue(label: "CentralApp")

    init(on host: StandIn) {
        self.host = host
        host.attach(to: queue)
    }

    /// Runs `body` on the delegate queue.
    func run<Value: Sendable>(_ body: @escaping @Sendable (CentralApp) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body(self)) }
        }
    }

    func start(restoring identifier: String? = nil) async {
        await run { app in
            let options = identifier.map { [CBCentralManagerOptionRestoreIdentifierKey: NSString(string: $0) as Any] }
            app.manager = CBCentralManager(delegate: app, queue: app.queue, options: options)
        }
    }

    /// Moves time until a line with this beginning was written.
    func wait(for line: String, count: Int = 1, with others: [StandIn] = []) async throws -> Bool {
        try await StandIn.advance([host] + others) { self.log.count(line) >= count }
    }

    /// Starts, scans, and connects to the first device of a service.
    func connect(to service: String, with others: [StandIn] = []) async throws -> Bool {
        await start()
        guard try await wait(for: "state 5", with: others) else { return false }
        let uuid = service
        await run { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: uuid)]) }
        guard try await wait(for: "found", with: others) else { return false }
        await run { app in
            app.manager?.stopScan()
            app.connect()
        }
        return try await wait(for: "connected", with: others)
    }

    func connect() {
        peripherals[0].delegate = self
        manager?.connect(peripherals[0])
    }

    /// Discovers the service's characteristics and the descriptors of the first.
    func discover(_ service: String? = nil, with others: [StandIn] = []) async throws -> Bool {
        await run { $0.peripherals[0].discoverServices(service.map { [CBUUID(string: $0)] }) }
        guard try await wait(for: "services", with: others) else { return false }
        await run { app in
            guard let service = app.peripherals[0].services?.first else { return }
            app.peripherals[0].discoverCharacteristics(nil, for: service)
        }
        return try await wait(for: "characteristics", with: others)
    }

    var characteristic: CBCharacteristic { peripherals[0].services![0].characteristics![0] }

    // MARK: CBCentralManagerDelegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) { log.add("state \(central.state.rawValue)") }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        peripherals = restored
        for peripheral in restored { peripheral.delegate = self }
        let services = dict[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        log.add(
            "restored \(restored.map(\.state.rawValue)) scan \(services?.map(\.uuidString) ?? []) "
                + "tree \(restored.first?.services?.map(\.uuid.uuidString) ?? []) "
                + "notifying \(restored.first?.services?.first?.characteristics?.map(\.isNotifying) ?? [])")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        if !peripherals.contains(where: { $0 === peripheral }) { peripherals.append(peripheral) }
        advertisements.append(advertisementData)
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        let overflow = advertisementData[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] ?? []
        log.add("found \(name ?? "-") overflow \(overflow.map(\.uuidString))")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.add("connected length \(peripheral.maximumWriteValueLength(for: .withoutResponse))")
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        log.add("failed" + AppLog.text(error))
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { log.add("old form") }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { log.add("disconnected" + AppLog.text(error)) }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { log.add("event") }

    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        log.add("ANCS")
    }

    // MARK: CBPeripheralDelegate

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { log.add("name \(peripheral.name ?? "-")") }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        log.add("modified \(invalidatedServices.map(\.uuid.uuidString))")
    }

    func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) { log.add("old RSSI") }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI rssi: NSNumber, error: (any Error)?) {
        log.add("RSSI" + AppLog.text(error))
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        log.add(
            "services \(peripheral.services?.map(\.uuid.uuidString) ?? []) length "
                + "\(peripheral.maximumWriteValueLength(for: .withoutResponse))" + AppLog.text(error))
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)
    { log.add("included \(service.includedServices?.map(\.uuid.uuidString) ?? [])" + AppLog.text(error)) }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        log.add("characteristics \(service.characteristics?.map(\.uuid.uuidString) ?? [])" + AppLog.text(error))
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    { log.add("value \(AppLog.text(characteristic.value))" + AppLog.text(error)) }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    { log.add("written" + AppLog.text(error)) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
    ) { log.add("notifying \(characteristic.isNotifying)" + AppLog.text(error)) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { log.add("descriptors \(characteristic.descriptors?.map(\.uuid.uuidString) ?? [])" + AppLog.text(error)) }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        let kind =
            switch descriptor.value {
            case is NSNumber: "number"
            case is NSString: "text"
            case is NSData: "data"
            default: "none"
            }
        log.add("descriptor \(descriptor.uuid.uuidString) \(kind)" + AppLog.text(error))
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        log.add("descriptor written" + AppLog.text(error))
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { log.add("ready") }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        log.add("opened" + AppLog.text(error))
    }
}
