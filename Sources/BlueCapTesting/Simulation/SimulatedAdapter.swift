// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// An adapter of the programs of a world, with its normal state.
struct SimulatedAdapter: Sendable {
    let adapter: VirtualAdapter
    /// Whether a peripheral manager is on it.
    var hasServer: Bool
    private let connection: VirtualConnection
    private let proximity: VirtualProximity

    /// An adapter with which nothing is wrong.
    init(_ adapter: VirtualAdapter, hasServer: Bool) {
        self.adapter = adapter
        self.hasServer = hasServer
        connection = adapter.connection
        proximity = adapter.proximity
    }

    var name: String { "adapter \(adapter.address)" }

    func play(_ fault: AdapterFault) -> PlayedFault {
        switch fault {
        case .powerOff: adapter.powerOff()
        case .powerOn: adapter.powerOn()
        case .unplug: adapter.unplug()
        case .plugIn: adapter.plugIn()
        case .forbid: adapter.change(to: .unauthorized)
        }
        return PlayedFault(subject: name, text: "\(fault)")
    }

    /// Plays a device's fault, in a world without devices, on the links of the programs on this adapter.
    ///
    /// - Returns: The fault that it is here; nil where it befalls nobody.
    func play(_ fault: DeviceFault) -> PlayedFault? {
        guard let text = fault.isOnAir ? playOnAir(fault) : playOnServer(fault) else { return nil }
        return PlayedFault(subject: name, text: text)
    }

    /// A fault of the whole adapter: a central that vanishes, links that lose packets.
    private func playOnAir(_ fault: DeviceFault) -> String? {
        switch fault {
        case .vanish, .die:
            adapter.vanish()
            return "goes out of range"
        case .reappear, .revive:
            adapter.reappear()
            return "comes back into range"
        case .loss(let percent): return lose(percent)
        case .error(_, _, let error): return lose(error == nil ? 0 : 50)
        default: return nil
        }
    }

    private func lose(_ percent: Int) -> String {
        adapter.setPacketLoss(Double(percent) / 100)
        return "loses \(percent) % of the packets"
    }

    /// A fault of the peripheral managers on the adapter.
    private func playOnServer(_ fault: DeviceFault) -> String? {
        switch fault {
        case .mute, .hold: adapter.mute()
        case .unmute, .release, .answerHeld: adapter.unmute()
        case .slow(let delay): adapter.slow(by: delay)
        case .reset, .disconnect: adapter.disconnectCentrals()
        case .refuse(let refuses): adapter.refuseConnections(refuses)
        case .move(let metres): adapter.move(to: .metres(Double(metres)))
        case .forgetBonds: adapter.forgetBonds()
        case .service(_, let isThere), .advertise(let isThere): adapter.refuseAdvertisements(!isThere)
        case .interval(let milliseconds): changeConnection { $0.interval = .milliseconds(milliseconds) }
        case .unit(let unit): changeConnection { $0.maximumTransmissionUnit = unit }
        case .rename: changeConnection { $0.maximumTransmissionUnit = connection.maximumTransmissionUnit }
        case .vanish, .reappear, .die, .revive, .loss, .error, .pairing, .address: return nil
        }
        return Self.text(of: fault)
    }

    private func changeConnection(_ change: (inout VirtualConnection) -> Void) {
        var other = adapter.connection
        change(&other)
        adapter.changeConnection(to: other)
    }

    /// The faults that are others here.
    private static func text(of fault: DeviceFault) -> String {
        switch fault {
        case .hold: "\(DeviceFault.mute)"
        case .release, .answerHeld: "\(DeviceFault.unmute)"
        case .reset, .disconnect: "disconnects its centrals"
        case .service(_, let isThere), .advertise(let isThere):
            isThere ? "takes advertisements" : "refuses advertisements"
        case .interval(let milliseconds): "has new links with an interval of \(milliseconds) ms"
        case .rename: "takes packets as at first"
        default: "\(fault)"
        }
    }

    /// Takes every fault back.
    func heal() {
        adapter.powerOn()
        adapter.reappear()
        adapter.setPacketLoss(0)
        adapter.unmute()
        adapter.slow(by: .zero)
        adapter.refuseConnections(false)
        adapter.refuseAdvertisements(false)
        adapter.move(to: proximity)
        adapter.changeConnection(to: connection)
    }
}

extension DeviceFault {
    /// Whether it concerns all links of an adapter rather than those of its peripheral managers.
    var isOnAir: Bool {
        switch self {
        case .vanish, .reappear, .die, .revive, .loss, .error: true
        default: false
        }
    }
}
