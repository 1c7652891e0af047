// SPDX-License-Identifier: MIT

import BlueCapCore
import Dispatch
public import Foundation

/// A manager of either role.
public class CBManager: NSObject {
    /// Unknown until the first callback (M2).
    public internal(set) var state = CBManagerState.unknown
    let host: StandIn
    let restoreIdentifier: String?
    private(set) lazy var port = QueuePort(self, queue: queue, host: host)
    private let queue: DispatchQueue
    private var calls: [() -> Void] = []
    private let count: ObjectCount

    /// Callbacks come on `queue`, or on the main queue (M7).
    init(queue: DispatchQueue?, restoreIdentifier: String?) {
        let queue = queue ?? .main
        self.queue = queue
        self.restoreIdentifier = restoreIdentifier
        host = .of(queue)
        count = ObjectCount(.managers, in: host.counts)
        super.init()
        host.register(port)
    }

    /// Whether the app may use Bluetooth (M3), on the device of the current queue.
    public class var authorization: CBManagerAuthorization { StandIn.current.settings.authorization }

    /// Whether the app may use Bluetooth (M3).
    public var authorization: CBManagerAuthorization { host.settings.authorization }

    /// Calls `body` on the queue soon: no callback comes from inside a call (M10).
    func later(_ body: @escaping () -> Void) {
        calls.append(body)
        port.post { manager in
            if !manager.calls.isEmpty { manager.calls.removeFirst()() }
        }
    }

    /// Calls `body` for a call that has nothing to do: soon, or with a fault from inside of it (M10).
    func tellRefusal(_ body: @escaping () -> Void) {
        if host.has(.answersInside) { body() } else { later(body) }
    }

    /// The program ends. Subclasses leave their session to the system.
    func park() { calls = [] }

    /// Whether commands are taken (M1).
    func isOn(_ command: String) -> Bool {
        if state == .poweredOn { return true }
        host.misuse("\(command) while the state is \(state.rawValue)")
        return false
    }
}

extension CBManagerState {
    init(_ state: ManagerState) {
        self =
            switch state {
            case .unknown: .unknown
            case .resetting: .resetting
            case .unsupported: .unsupported
            case .unauthorized: .unauthorized
            case .poweredOff: .poweredOff
            case .poweredOn: .poweredOn
            }
    }

    /// Below it objects are invalid and the local database is cleared (M5, M6).
    var isBelowPoweredOff: Bool { self != .poweredOff && self != .poweredOn }
}
