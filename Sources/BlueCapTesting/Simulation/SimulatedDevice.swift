// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

/// A virtual peripheral, with its normal state.
struct SimulatedDevice: Sendable {
    /// The number of addresses besides the device's own.
    private static let otherAddressCount = 3

    let peripheral: VirtualPeripheral
    /// The name that it had at first.
    let name: String
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
        name = peripheral.name
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

    /// Plays a fault.
    ///
    /// - Returns: The fault with the names of that which it befell; nil where the device has nothing that it concerns.
    func play(_ fault: DeviceFault, on radio: VirtualRadio) -> PlayedFault? {
        guard let text = text(of: fault) else { return nil }
        begin(fault, on: radio)
        return PlayedFault(subject: name, text: text)
    }

    private func begin(_ fault: DeviceFault, on radio: VirtualRadio) {
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
        case .service(let place, let isThere): service(at: place).map { change($0, isThere: isThere) }
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
            peripheral.changeAddress(to: address(number).text)
        case .unit(let unit): peripheral.changeMaximumTransmissionUnit(to: unit)
        case .rename(let name): peripheral.rename(to: name)
        }
    }

    private func change(_ service: VirtualService, isThere: Bool) {
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

    // MARK: Names

    private func text(of fault: DeviceFault) -> String? {
        switch fault {
        case .address(let number): "uses the address \(address(number))"
        case .service(let place, let isThere):
            service(at: place).map { isThere ? "has service \($0.uuid) again" : "takes service \($0.uuid) away" }
        case .error(let place, let operation, _), .hold(let place, let operation),
            .answerHeld(let place, let operation), .release(let place, let operation):
            attribute(at: place).map { fault.text(of: operation, on: "\($0.uuid)") }
        default: "\(fault)"
        }
    }

    private func address(_ number: Int) -> PeerIdentifier { identifiers[number % identifiers.count] }

    /// The service at a place, counted round and round.
    private func service(at place: Int) -> VirtualService? {
        services.isEmpty ? nil : services[place % services.count]
    }

    /// The characteristic or descriptor at a place, counted round and round.
    private func attribute(at place: Int) -> (any FaultyAttribute)? {
        attributes.isEmpty ? nil : attributes[place % attributes.count]
    }
}

/// An attribute that can answer with errors, late or not at all.
private protocol FaultyAttribute: Sendable {
    var uuid: BluetoothUUID { get }
    func setError(_ error: ATTError?, for operation: VirtualOperation)
    func hold(_ operation: VirtualOperation)
    func answerHeld(_ operation: VirtualOperation)
    func release(_ operation: VirtualOperation)
}

extension VirtualCharacteristic: FaultyAttribute {}
extension VirtualDescriptor: FaultyAttribute {}
