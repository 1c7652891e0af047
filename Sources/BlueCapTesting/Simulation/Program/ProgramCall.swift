// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// A call of the random program to the library, or an action of its devices.
enum ProgramCall: Sendable, Hashable {
    // Calls of a central to a device.
    case connect(Int, timeout: Duration?, cancellation: Duration?)
    case reconnect(Int, after: Duration)
    case disconnect(Int)
    case policy(Int, ReconnectPolicy)
    case discover(Int)
    case read(Int, ProgramRegister, timeout: Duration?, cancellation: Duration?)
    case write(Int, ProgramRegister, timeout: Duration?, cancellation: Duration?)
    case command(Int, count: Int, isOverSocket: Bool)
    case signalStrength(Int)
    /// Measures again and again.
    case measure(Int, Duration)
    case listen(Int, Listening)
    case hold(Int, Duration)
    case forget(Int)
    case pair(Int, timeout: Duration?, cancellation: Duration?)
    case cancelPairing(Int)
    case removeBond(Int)

    // Calls of a manager.
    /// Answers the requests of pairing.
    case answerPairing(ProgramRole, PairingCapability, Duration)
    case scan(Duration)
    case retrieve(connected: Bool)
    case resetCentral
    case serve(Bool)
    case advertise(Bool)
    /// Advertises another advertisement besides, which ends by itself.
    case advertiseMore(Duration)
    case resetServer
    /// Ends the links of the centrals that are connected to the served device.
    case dismissCentrals

    // Actions of a device's firmware.
    case send(Int, count: Int, isIndicated: Bool, isSingle: Bool)
    /// Sends a value inside each subscription.
    case greet(Int, Bool)

    // Channels.
    case channel(Int, ChannelUse)
    /// Takes channels of centrals for a while.
    case publish(ChannelPlace, pause: Duration, Duration)
    case channelAction(Int, ChannelAction)

    /// The parameters of a loop over notifications.
    struct Listening: Hashable {
        var isIndicated = false
        var duration = Duration.seconds(5)
        var capacity: Int?
        var pause = Duration.zero
        var survivesLinks = false
    }
}

/// One of the two managers of the random program.
enum ProgramRole: String, Sendable, Hashable {
    case central
    case peripheral
}

extension ProgramCall {
    var device: Int? {
        switch self {
        case .connect(let device, _, _), .reconnect(let device, _), .disconnect(let device), .policy(let device, _),
            .discover(let device), .read(let device, _, _, _), .write(let device, _, _, _), .command(let device, _, _),
            .signalStrength(let device), .measure(let device, _), .listen(let device, _), .hold(let device, _),
            .forget(let device), .pair(let device, _, _), .cancelPairing(let device), .removeBond(let device),
            .send(let device, _, _, _), .greet(let device, _), .channel(let device, _),
            .channelAction(let device, _):
            device
        case .answerPairing, .scan, .retrieve, .resetCentral, .serve, .advertise, .advertiseMore, .resetServer,
            .dismissCentrals, .publish:
            nil
        }
    }
}

extension ProgramCall: CustomStringConvertible {
    var description: String {
        switch self {
        case .connect(let device, let timeout, let cancellation):
            "connect to device \(device)" + Self.limits(timeout, cancellation)
        case .reconnect(let device, let delay): "reconnect to device \(device) after \(delay.inSeconds)"
        case .disconnect(let device): "disconnect device \(device)"
        case .policy(let device, let policy):
            "reconnect to device \(device) " + (policy == .never ? "never" : "by itself")
        case .discover(let device): "discover device \(device)"
        case .read(let device, let register, let timeout, let cancellation):
            "read the \(register) value of device \(device)" + Self.limits(timeout, cancellation)
        case .write(let device, let register, let timeout, let cancellation):
            "write the \(register) value of device \(device)" + Self.limits(timeout, cancellation)
        case .command(let device, let count, let isOverSocket):
            "write device \(device) \(count) times without response" + (isOverSocket ? " over a socket" : "")
        case .signalStrength(let device): "measure device \(device)"
        case .measure(let device, let duration): "measure device \(device) for \(duration.inSeconds)"
        case .listen(let device, let listening): "listen to device \(device)\(listening)"
        case .hold(let device, let duration): "keep notifications of device \(device) on for \(duration.inSeconds)"
        case .forget(let device): "forget device \(device)"
        case .pair(let device, let timeout, let cancellation):
            "pair with device \(device)" + Self.limits(timeout, cancellation)
        case .cancelPairing(let device): "cancel pairing with device \(device)"
        case .removeBond(let device): "remove the bond with device \(device)"
        case .answerPairing(let role, let capability, let duration):
            "answer pairing of the \(role) manager as \(capability) for \(duration.inSeconds)"
        case .scan(let duration): "scan for \(duration.inSeconds)"
        case .retrieve(let connected): "retrieve \(connected ? "what is connected" : "the devices")"
        case .resetCentral: "reset the central manager"
        case .serve(let isOn): isOn ? "add the service" : "remove the service"
        case .advertise(let isOn): isOn ? "advertise" : "stop advertising"
        case .advertiseMore(let duration): "advertise something else for \(duration.inSeconds)"
        case .resetServer: "reset the peripheral manager"
        case .dismissCentrals: "end the links of the centrals"
        case .send(let device, let count, let isIndicated, let isSingle):
            "device \(device) \(isIndicated ? "indicates" : "notifies") \(count) values"
                + (isSingle ? " to one subscriber" : "")
        case .greet(let device, let isOn):
            "device \(device) sends \(isOn ? "a value" : "nothing") inside a subscription"
        case .channel(let device, let use): "open a channel to device \(device): \(use)"
        case .publish(let place, _, let duration): "take \(place) channels for \(duration.inSeconds)"
        case .channelAction(let device, let action): "device \(device) \(action)"
        }
    }

    private static func limits(_ timeout: Duration?, _ cancellation: Duration?) -> String {
        (timeout.map { ", \($0.inSeconds) at most" } ?? "")
            + (cancellation.map { ", cancelled after \($0.inSeconds)" } ?? "")
    }
}

extension ProgramCall.Listening: CustomStringConvertible {
    var description: String {
        " for \(duration.inSeconds)" + (isIndicated ? ", to indications" : "")
            + (survivesLinks ? ", over lost links" : "") + (capacity.map { ", \($0) values kept" } ?? "")
    }
}
