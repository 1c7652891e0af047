// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// What the random program calls of the library, or has its devices do.
enum ProgramCall: Sendable, Hashable {
    case connect(Int, timeout: Duration?, cancellation: Duration?)
    case disconnect(Int)
    case policy(Int, ReconnectPolicy)
    case discover(Int)
    case read(Int, timeout: Duration?, cancellation: Duration?)
    case write(Int, timeout: Duration?, cancellation: Duration?)
    case command(Int, count: Int)
    case signalStrength(Int)
    case listen(Int, Listening)
    case hold(Int, Duration)
    case scan(Duration)
    case forget(Int)
    case resetCentral
    /// A device's firmware notifies, or indicates, so many values.
    case send(Int, count: Int, isIndicated: Bool)
    /// A device's firmware sends a value inside each subscription.
    case greet(Int, Bool)
    case serve(Bool)
    case advertise(Bool)
    case resetServer

    /// How a loop over notifications is made.
    struct Listening: Hashable {
        var isIndicated = false
        var duration = Duration.seconds(5)
        var capacity: Int?
        /// How long the loop's body takes.
        var pause = Duration.zero
        var survivesLinks = false
    }
}

extension ProgramCall {
    /// The device that it is about.
    var device: Int? {
        switch self {
        case .connect(let device, _, _), .disconnect(let device), .policy(let device, _), .discover(let device),
            .read(let device, _, _), .write(let device, _, _), .command(let device, _), .signalStrength(let device),
            .listen(let device, _), .hold(let device, _), .forget(let device), .send(let device, _, _),
            .greet(let device, _):
            device
        case .scan, .resetCentral, .serve, .advertise, .resetServer: nil
        }
    }
}

extension ProgramCall: CustomStringConvertible {
    var description: String {
        switch self {
        case .connect(let device, let timeout, let cancellation):
            "connect to device \(device)" + Self.limits(timeout, cancellation)
        case .disconnect(let device): "disconnect device \(device)"
        case .policy(let device, let policy):
            "reconnect to device \(device) " + (policy == .never ? "never" : "by itself")
        case .discover(let device): "discover device \(device)"
        case .read(let device, let timeout, let cancellation):
            "read device \(device)" + Self.limits(timeout, cancellation)
        case .write(let device, let timeout, let cancellation):
            "write device \(device)" + Self.limits(timeout, cancellation)
        case .command(let device, let count): "write device \(device) \(count) times without response"
        case .signalStrength(let device): "measure device \(device)"
        case .listen(let device, let listening):
            "listen to device \(device) for \(listening.duration.inSeconds)"
                + (listening.isIndicated ? ", to indications" : "")
                + (listening.survivesLinks ? ", over lost links" : "")
                + (listening.capacity.map { ", \($0) values kept" } ?? "")
        case .hold(let device, let duration): "keep notifications of device \(device) on for \(duration.inSeconds)"
        case .scan(let duration): "scan for \(duration.inSeconds)"
        case .forget(let device): "forget device \(device)"
        case .resetCentral: "reset the central manager"
        case .send(let device, let count, let isIndicated):
            "device \(device) \(isIndicated ? "indicates" : "notifies") \(count) values"
        case .greet(let device, let isOn):
            "device \(device) sends \(isOn ? "a value" : "nothing") inside a subscription"
        case .serve(let isOn): isOn ? "add the service" : "remove the service"
        case .advertise(let isOn): isOn ? "advertise" : "stop advertising"
        case .resetServer: "reset the peripheral manager"
        }
    }

    private static func limits(_ timeout: Duration?, _ cancellation: Duration?) -> String {
        (timeout.map { ", \($0.inSeconds) at most" } ?? "")
            + (cancellation.map { ", cancelled after \($0.inSeconds)" } ?? "")
    }
}
