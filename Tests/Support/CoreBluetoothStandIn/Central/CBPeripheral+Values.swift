// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
public import Foundation

extension CBPeripheral {
    /// Reads the whole value; the answer looks like a notification (E1, E3).
    public func readValue(for characteristic: CBCharacteristic) {
        guard let manager = managerForCommand("readValue", isValid: owns(characteristic)) else { return }
        perform(.read(peer, characteristic.number), by: manager) { [self] result in
            if characteristic.isNotifying, host.has(.valueBetweenReadAndAnswer) {
                characteristic.value = Data([0xFE])
                delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
            }
            if case .success(.value(let value)) = result { characteristic.value = Data(value) }
            delegate?.peripheral(self, didUpdateValueFor: characteristic, error: error(of: result))
        }
    }

    /// Reads a descriptor, whose value has a class of its kind (D7).
    public func readValue(for descriptor: CBDescriptor) {
        guard let manager = managerForCommand("readValue", isValid: owns(descriptor)) else { return }
        perform(.read(peer, descriptor.number), by: manager) { [self] result in
            if case .success(.value(let value)) = result { descriptor.setValue(Array(value)) }
            delegate?.peripheral(self, didUpdateValueFor: descriptor, error: error(of: result))
        }
    }

    /// Writes a value; only one with a response is answered (E4).
    public func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        guard let manager = managerForCommand("writeValue", isValid: owns(characteristic)) else { return }
        let value = Bytes(data)
        if type == .withResponse {
            return perform(.write(peer, characteristic.number, value, .withResponse), by: manager) { [self] result in
                delegate?.peripheral(self, didWriteValueFor: characteristic, error: error(of: result))
            }
        }
        // Without the property it vanishes (E6).
        guard characteristic.properties.contains(.writeWithoutResponse), beginCommand() else { return }
        manager.perform(.write(peer, characteristic.number, value, .withoutResponse), of: peer) { [self] _ in
            endCommand()
            guard host.has(.writeCallbackForCommand) else { return }
            let error = NSError(domain: CBATTErrorDomain, code: 114)
            delegate?.peripheral(self, didWriteValueFor: characteristic, error: error)
        }
    }

    /// Writes a descriptor; the client configuration raises an exception (D8).
    public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        precondition(
            descriptor.uuid.identity.uint16 != 0x2902,
            "CBPeripheral: client characteristic configuration descriptors must be written by setNotifyValue")
        guard let manager = managerForCommand("writeValue", isValid: owns(descriptor)) else { return }
        perform(.write(peer, descriptor.number, Bytes(data), .withResponse), by: manager) { [self] result in
            delegate?.peripheral(self, didWriteValueFor: descriptor, error: error(of: result))
        }
    }

    /// Subscribes, to notifications where both are offered (E7).
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        guard let manager = managerForCommand("setNotifyValue", isValid: owns(characteristic)) else { return }
        if host.has(.answersInside), characteristic.isNotifying == enabled {
            delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: nil)
            return
        }
        let operation = CentralOperation.setNotifying(peer, characteristic.number, enabled, .standard)
        perform(operation, by: manager) { [self] result in
            if case .success = result { characteristic.isNotifying = enabled }
            delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: error(of: result))
        }
    }

    /// Measures the strength of the connection (C13).
    public func readRSSI() {
        guard let manager = managerForCommand("readRSSI") else { return }
        manager.perform(.readRSSI(peer), of: peer) { [self] result in
            var value = 127
            if case .success(.rssi(let rssi)) = result { value = rssi }
            delegate?.peripheral(self, didReadRSSI: NSNumber(value: value), error: error(of: result))
        }
    }

    /// A value that the peer sent. The characteristic's `value` is that of the latest callback (E2).
    func notified(_ number: AttributeID, _ value: Bytes) {
        guard let characteristic = allCharacteristics.first(where: { $0.number == number }) else { return }
        characteristic.value = Data(value)
        delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
    }

    // MARK: Security

    private typealias Outcome = Result<CentralReply, OperationFailure>

    /// Performs an operation. A security error makes the system pair, and try once more (F1, F2).
    private func perform(
        _ operation: CentralOperation, by manager: CBCentralManager, then: @escaping (Outcome) -> Void
    ) {
        manager.perform(operation, of: peer) { [self, weak manager] first in
            guard let manager, case .failure(.att(let error)) = first,
                [.insufficientAuthentication, .insufficientEncryption].contains(error)
            else { return then(first) }
            manager.perform(.pair(peer), of: peer) { [self, weak manager] result in
                guard let manager, case .success = result else { return then(first) }
                manager.perform(operation, of: peer, then: then)
            }
        }
    }

    private func error(of result: Outcome) -> NSError? {
        if case .failure(let failure) = result { .operation(failure, host: host) } else { nil }
    }
}
