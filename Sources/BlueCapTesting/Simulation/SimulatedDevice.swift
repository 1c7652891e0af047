// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

extension VirtualAdapter {
    func play(_ fault: AdapterFault) {
        switch fault {
        case .powerOff: powerOff()
        case .powerOn: powerOn()
        case .unplug: unplug()
        case .plugIn: plugIn()
        case .forbid: change(to: .unauthorized)
        }
    }
}

/// A virtual peripheral, with its normal state.
struct SimulatedDevice: Sendable {
    /// The number of addresses besides the device's own.
    private static let otherAddressCount = 3

    let peripheral: VirtualPeripheral
    /// The addresses that it has or faults give it, its own first.
    let identifiers: [PeerIdentifier]
    private let services: [VirtualService]
    private let attributes: [any FaultyAttribute]
    private let proximity: VirtualProximity
    private let pairing: VirtualPairing
    private let advertising: VirtualAdvertising
    private let isAdvertising: Bool

    /// A peripheral with which nothing is wrong.
    init(_ peripheral: VirtualPeripheral, index: Int) {
        self.peripheral = peripheral
        identifiers = [peripheral.identifier] + Self.otherIdentifiers(of: index)
        services = peripheral.services
        let characteristics = services.flatMap(\.characteristics)
        attributes = characteristics + characteristics.flatMap(\.descriptors)
        proximity = peripheral.proximity
        pairing = peripheral.pairing
        advertising = peripheral.advertising
        isAdvertising = peripheral.isAdvertising
    }

    /// The addresses that faults give to the peripheral with an index.
    static func otherIdentifiers(of index: Int) -> [PeerIdentifier] {
        (0..<otherAddressCount).map { number in
            let octets = [index, number].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            return PeerIdentifier("C0:DE:5E:ED:" + octets.joined(separator: ":"))
        }
    }

    func play(_ fault: DeviceFault, on radio: VirtualRadio) {
        switch fault {
        case .vanish: peripheral.vanish()
        case .reappear: peripheral.reappear()
        case .die: radio.remove(peripheral)
        case .revive: radio.add(peripheral)
        case .mute: peripheral.mute()
        case .unmute: peripheral.unmute()
        case .slow(let delay): peripheral.slow(by: delay)
        case .reset: peripheral.reset()
        case .loss(let percent): peripheral.setPacketLoss(Double(percent) / 100)
        case .refuse(let refuses): peripheral.refuseConnections(refuses)
        case .move(let metres): peripheral.move(to: .metres(Double(metres)))
        case .service(let place, let isThere): changeService(at: place, isThere: isThere)
        case .forgetBonds: peripheral.forgetBonds()
        case .pairing(let pairing): peripheral.changePairing(to: pairing ?? self.pairing)
        case .error(let place, let operation, let error): attribute(at: place)?.setError(error, for: operation)
        case .hold(let place, let operation): attribute(at: place)?.hold(operation)
        case .answerHeld(let place, let operation): attribute(at: place)?.answerHeld(operation)
        case .release(let place, let operation): attribute(at: place)?.release(operation)
        case .disconnect: peripheral.disconnect()
        case .advertise(let isOn): if isOn { peripheral.startAdvertising() } else { peripheral.stopAdvertising() }
        case .interval(let milliseconds):
            var other = peripheral.advertising
            other.interval = .milliseconds(milliseconds)
            peripheral.changeAdvertisement(to: other)
        case .address(let number):
            peripheral.changeAddress(to: identifiers[number % identifiers.count].text)
        case .unit(let unit): peripheral.changeMaximumTransmissionUnit(to: unit)
        case .rename(let name): peripheral.rename(to: name)
        }
    }

    private func changeService(at place: Int, isThere: Bool) {
        guard !services.isEmpty else { return }
        let service = services[place % services.count]
        let present = peripheral.services
        guard present.contains(where: { $0 === service }) != isThere else { return }
        peripheral.changeServices(
            to: services.filter { one in one === service ? isThere : present.contains { $0 === one } })
    }

    /// Takes every fault back. The address stays as it is.
    func heal(on radio: VirtualRadio) {
        radio.add(peripheral)
        peripheral.reappear()
        peripheral.unmute()
        peripheral.slow(by: .zero)
        peripheral.setPacketLoss(0)
        peripheral.refuseConnections(false)
        peripheral.move(to: proximity)
        peripheral.changePairing(to: pairing)
        peripheral.changeAdvertisement(to: advertising)
        if peripheral.services.count != services.count { peripheral.changeServices(to: services) }
        for attribute in attributes {
            for operation in VirtualOperation.allCases {
                attribute.setError(nil, for: operation)
                attribute.release(operation)
            }
        }
        if isAdvertising { peripheral.startAdvertising() }
    }

    /// The characteristic or descriptor at a place, counted round and round.
    private func attribute(at place: Int) -> (any FaultyAttribute)? {
        attributes.isEmpty ? nil : attributes[place % attributes.count]
    }
}

/// An attribute that can answer with errors, late or not at all.
private protocol FaultyAttribute: Sendable {
    func setError(_ error: ATTError?, for operation: VirtualOperation)
    func hold(_ operation: VirtualOperation)
    func answerHeld(_ operation: VirtualOperation)
    func release(_ operation: VirtualOperation)
}

extension VirtualCharacteristic: FaultyAttribute {}
extension VirtualDescriptor: FaultyAttribute {}
