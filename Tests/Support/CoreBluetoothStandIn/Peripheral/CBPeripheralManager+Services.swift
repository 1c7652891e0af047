// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

extension CBPeripheralManager {
    /// Publishes a service, answered by didAdd; the services that it includes come first (G2).
    public func add(_ service: CBMutableService) {
        guard isOn("add") else { return }
        func refuse(_ code: CBError.Code) {
            tellRefusal { [self] in
                delegate?.peripheralManager(self, didAdd: service, error: NSError.bluetooth(code, host: host))
            }
        }
        // The system's own services; which ones no source says (G7).
        if [0x1800, 0x1801].contains(service.uuid.identity.uint16) { return refuse(.uuidNotAllowed) }
        let included = service.includedServices ?? []
        guard included.allSatisfy({ included in published.contains { $0.object === included } }),
            !published.contains(where: { $0.object === service })
        else { return refuse(.invalidParameters) }
        let made = PublishedService(service) {
            lastNumber += 1
            return AttributeID(rawValue: lastNumber)
        }
        published.append(made)
        perform(.add(made.local)) { [self] result in
            var error: NSError?
            if case .failure(let failure) = result {
                published.removeAll { $0.object === service }
                error = .operation(failure, host: host)
            }
            delegate?.peripheralManager(self, didAdd: service, error: error)
        }
    }

    /// Takes a service away; nothing answers (G2).
    public func remove(_ service: CBMutableService) {
        guard isOn("remove"), published.contains(where: { $0.object === service }) else { return }
        if published.contains(where: { $0.local.includedServices.contains(service.number) }) {
            return host.misuse("remove of a service that another one includes")
        }
        published.removeAll { $0.object === service }
        perform(.remove(service.number)) { _ in }
    }

    /// Takes all services away, those that include others first.
    public func removeAllServices() {
        guard isOn("removeAllServices") else { return }
        for service in published.reversed() { perform(.remove(service.object.number)) { _ in } }
        published = []
    }

    func publishedCharacteristic(_ number: AttributeID) -> CBMutableCharacteristic? {
        published.lazy.flatMap(\.characteristics).first { $0.number == number }
    }

    /// A value that the system answers by itself (G3, I8).
    func fixedValue(_ number: AttributeID) -> [UInt8]? {
        published.lazy.compactMap { $0.fixed[number] }.first
    }
}
