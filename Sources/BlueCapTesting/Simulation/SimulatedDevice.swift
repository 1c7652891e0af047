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
        }
    }
}

/// A virtual peripheral, and what it is like while nothing is wrong.
struct SimulatedDevice: Sendable {
    let peripheral: VirtualPeripheral
    private let services: [VirtualService]
    private let proximity: VirtualProximity
    private let isAdvertising: Bool

    /// A peripheral with which nothing is wrong.
    init(_ peripheral: VirtualPeripheral) {
        self.peripheral = peripheral
        services = peripheral.services
        proximity = peripheral.proximity
        isAdvertising = peripheral.isAdvertising
    }

    func play(_ fault: DeviceFault) {
        switch fault {
        case .vanish: peripheral.vanish()
        case .reappear: peripheral.reappear()
        case .mute: peripheral.mute()
        case .unmute: peripheral.unmute()
        case .slow(let delay): peripheral.slow(by: delay)
        case .reset: peripheral.reset()
        case .loss(let percent): peripheral.setPacketLoss(Double(percent) / 100)
        case .refuse(let refuses): peripheral.refuseConnections(refuses)
        case .move(let metres): peripheral.move(to: .metres(Double(metres)))
        case .lastService(let isThere): peripheral.changeServices(to: isThere ? services : Array(services.dropLast()))
        case .forgetBonds: peripheral.forgetBonds()
        case .error(let place, let operation, let error): characteristic(at: place)?.setError(error, for: operation)
        case .hold(let place, let operation): characteristic(at: place)?.hold(operation)
        case .answerHeld(let place, let operation): characteristic(at: place)?.answerHeld(operation)
        case .release(let place, let operation): characteristic(at: place)?.release(operation)
        case .disconnect: peripheral.disconnect()
        case .advertise(let isOn): if isOn { peripheral.startAdvertising() } else { peripheral.stopAdvertising() }
        case .unit(let unit): peripheral.changeMaximumTransmissionUnit(to: unit)
        case .rename(let name): peripheral.rename(to: name)
        }
    }

    /// Takes every fault back.
    func heal() {
        peripheral.reappear()
        peripheral.unmute()
        peripheral.slow(by: .zero)
        peripheral.setPacketLoss(0)
        peripheral.refuseConnections(false)
        peripheral.move(to: proximity)
        if peripheral.services.count != services.count { peripheral.changeServices(to: services) }
        for characteristic in services.flatMap(\.characteristics) {
            for operation in VirtualOperation.allCases {
                characteristic.setError(nil, for: operation)
                characteristic.release(operation)
            }
        }
        if isAdvertising { peripheral.startAdvertising() }
    }

    /// The characteristic at a place, counted round and round.
    private func characteristic(at place: Int) -> VirtualCharacteristic? {
        let all = services.flatMap(\.characteristics)
        return all.isEmpty ? nil : all[place % all.count]
    }
}
