// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

extension VirtualAdvertising {
    /// Creates the advertising of the virtual radio from a peer's declaration.
    init(_ advertisement: PeerAdvertisement) {
        self.init(
            interval: .milliseconds(advertisement.intervalMilliseconds ?? 100),
            data: PeripheralAdvertisements(
                localName: advertisement.localName, manufacturerData: advertisement.manufacturerData,
                txPower: advertisement.txPower, serviceUUIDs: advertisement.serviceUUIDs,
                serviceData: advertisement.serviceData, solicitedServiceUUIDs: advertisement.solicitedServiceUUIDs,
                appearance: advertisement.appearance,
                flags: advertisement.flags ?? [.generalDiscoverable, .noBREDR]),
            scanResponse: advertisement.scanResponse.map { response in
                PeripheralAdvertisements(
                    localName: response.localName, manufacturerData: response.manufacturerData,
                    txPower: response.txPower, serviceUUIDs: response.serviceUUIDs, serviceData: response.serviceData)
            })
    }
}

extension VirtualPairing {
    init(_ pairing: PeerPairing) {
        switch pairing.capability {
        case _ where !pairing.accepts: self = .refused
        case .noInputNoOutput: self = .justWorks
        case .displayYesNo, .keyboardDisplay: self = .comparing
        case .displayOnly: self = .showing
        case .keyboardOnly: self = .typing
        }
    }
}

extension VirtualService {
    /// A peer's declared services, each made after its included services.
    static func services(_ declared: [PeerService]) -> [VirtualService] {
        var made: [Int: VirtualService] = [:]
        func make(_ index: Int, within path: Set<Int>) -> VirtualService? {
            if let service = made[index] { return service }
            guard declared.indices.contains(index), !path.contains(index) else { return nil }
            let declaration = declared[index]
            let service = VirtualService(
                declaration.uuid, isPrimary: declaration.isPrimary,
                includedServices: declaration.includes.compactMap { make($0, within: path.union([index])) },
                characteristics: declaration.characteristics.map(VirtualCharacteristic.init))
            made[index] = service
            return service
        }
        return declared.indices.compactMap { make($0, within: []) }
    }
}

extension VirtualCharacteristic {
    fileprivate convenience init(_ declaration: PeerCharacteristic) {
        self.init(
            declaration.uuid, properties: declaration.properties, permissions: declaration.permissions,
            value: declaration.value,
            descriptors: declaration.descriptors.map { VirtualDescriptor($0.uuid, value: $0.value) })
    }
}

extension PeerCharacteristic {
    /// The permissions of a protected value; nil without protection: the virtual radio then derives them from the
    /// properties.
    fileprivate var permissions: AttributePermissions? {
        guard security != nil else { return nil }
        var permissions: AttributePermissions = []
        if properties.contains(.read) { permissions.insert(.readEncryptionRequired) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
            permissions.insert(.writeEncryptionRequired)
        }
        return permissions
    }
}
