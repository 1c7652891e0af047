// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// The start or the end of a fault in a simulated world.
enum SimulatedFault: Sendable, Hashable {
    case device(Int, DeviceFault)
    case adapter(Int, AdapterFault)
    /// Bluetooth is taken away from the platform, or brought back.
    case outage(Outage, isOver: Bool)
    /// The platform's service misbehaves, or behaves again.
    case service(ServiceFault, isOver: Bool)
}

/// A fault of a virtual peripheral; services and attributes are named by their places, counted round and round.
enum DeviceFault: Sendable, Hashable {
    case vanish
    case reappear
    /// Its battery dies, or is replaced.
    case die
    case revive
    case mute
    case unmute
    case slow(Duration)
    case reset
    case loss(percent: Int)
    case refuse(Bool)
    case move(metres: Int)
    case service(Int, isThere: Bool)
    case forgetBonds
    /// Pairs in this way, or as it did at first.
    case pairing(VirtualPairing?)
    case error(Int, VirtualOperation, ATTError?)
    case hold(Int, VirtualOperation)
    case answerHeld(Int, VirtualOperation)
    case release(Int, VirtualOperation)
    case disconnect
    case advertise(Bool)
    case interval(milliseconds: Int)
    /// Uses one of its other addresses.
    case address(Int)
    case unit(Int)
    case rename(String)
}

/// A fault of an adapter.
enum AdapterFault: Sendable, Hashable {
    case powerOff
    case powerOn
    case unplug
    case plugIn
    /// The platform refuses the program its use, until it is switched on.
    case forbid
}

extension SimulatedFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .device(let index, let fault): "device \(index) \(fault)"
        case .adapter(let index, let fault): "adapter \(index) \(fault)"
        case .outage(let outage, let isOver): "\(outage) \(isOver ? "ends" : "begins")"
        case .service(let fault, let isOver): "the service \(fault)\(isOver ? " no more" : "")"
        }
    }
}

extension DeviceFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .vanish: "goes out of range"
        case .reappear: "comes back into range"
        case .die: "loses its battery"
        case .revive: "gets a new battery"
        case .mute: "answers no more"
        case .unmute: "answers again"
        case .slow(let delay): "takes \(delay.inSeconds) longer to answer"
        case .reset: "restarts"
        case .loss(let percent): "loses \(percent) % of the packets"
        case .refuse(let refuses): refuses ? "refuses connections" : "takes connections"
        case .move(let metres): "is \(metres) m away"
        case .service(let place, let isThere): isThere ? "has service \(place) again" : "takes service \(place) away"
        case .forgetBonds: "forgets its keys"
        case .pairing(let pairing?): "pairs from now on: \(pairing)"
        case .pairing(nil): "pairs as it did at first"
        case .error(let place, let operation, _), .hold(let place, let operation),
            .answerHeld(let place, let operation), .release(let place, let operation):
            text(of: operation, on: "value \(place)")
        case .disconnect: "disconnects"
        case .advertise(let isOn): isOn ? "advertises" : "does not advertise"
        case .interval(let milliseconds): "advertises every \(milliseconds) ms"
        case .address(let number): "uses its address \(number)"
        case .unit(let unit): "takes packets of \(unit) bytes"
        case .rename(let name): "is named \(name)"
        }
    }
}

extension DeviceFault {
    /// A fault of an operation on an attribute.
    ///
    /// - Parameter attribute: The name of the attribute.
    func text(of operation: VirtualOperation, on attribute: String) -> String {
        switch self {
        case .error(_, _, let error?): "answers \(operation) of \(attribute) with \(error)"
        case .error(_, _, nil): "answers \(operation) of \(attribute) as it should"
        case .hold: "holds \(operation) of \(attribute) back"
        case .answerHeld: "answers what it holds back: \(operation) of \(attribute)"
        default: "holds \(operation) of \(attribute) back no more"
        }
    }
}

extension AdapterFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .powerOff: "is switched off"
        case .powerOn: "is switched on"
        case .unplug: "is pulled out"
        case .plugIn: "is put back"
        case .forbid: "is forbidden to the program"
        }
    }
}
