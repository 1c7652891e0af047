// SPDX-License-Identifier: MIT

import BlueCapCore

extension SeamWatch {
    /// A kind of request that the manager may have under way only once at a time.
    struct Lane: Hashable {
        private enum Kind: Hashable {
            case value
            case notifying
            case discovery
            case rssi
        }

        private let peripheral: PeerIdentifier
        private let attribute: AttributeID?
        private let kind: Kind

        /// The lane of an operation; nil where any number may be under way.
        init?(of operation: CentralOperation) {
            switch operation {
            case .read(let peripheral, let attribute), .write(let peripheral, let attribute, _, _):
                (self.peripheral, self.attribute, kind) = (peripheral, attribute, .value)
            case .setNotifying(let peripheral, let attribute, _, _):
                (self.peripheral, self.attribute, kind) = (peripheral, attribute, .notifying)
            case .discoverServices(let peripheral, _), .discoverIncludedServices(let peripheral, _, _),
                .discoverCharacteristics(let peripheral, _, _), .discoverDescriptors(let peripheral, _):
                (self.peripheral, attribute, kind) = (peripheral, nil, .discovery)
            case .readRSSI(let peripheral): (self.peripheral, attribute, kind) = (peripheral, nil, .rssi)
            case .setConnectionParameters, .retrieve, .retrieveConnected, .pair, .cancelPairing, .removeBond: return nil
            }
        }
    }

    /// Whether an operation of a peripheral is for a service that is gone, or for an attribute of one.
    static func isFor(
        _ operation: CentralOperation, _ gone: [AttributeID]?, _ isGone: (Key) -> Bool
    ) -> Bool {
        switch operation {
        case .read(let peripheral, let attribute), .write(let peripheral, let attribute, _, _),
            .setNotifying(let peripheral, let attribute, _, _), .discoverDescriptors(let peripheral, let attribute):
            isGone(Key(peripheral: peripheral, attribute: attribute))
        case .discoverCharacteristics(_, let service, _), .discoverIncludedServices(_, let service, _):
            gone?.contains(service) ?? true
        case .discoverServices, .readRSSI, .setConnectionParameters, .retrieve, .retrieveConnected, .pair,
            .cancelPairing, .removeBond:
            false
        }
    }
}
