// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// The state of the connection between the manager and the backend.
    enum LinkState: Sendable {
        /// There is no connection, and the backend was not asked to connect.
        case idle
        /// The backend was asked to connect.
        case connecting
        /// The backend was asked to cancel the attempt and has not confirmed.
        case aborting
        /// The connection is established.
        case connected
        /// The backend was asked to disconnect and has not confirmed.
        case disconnecting
    }

    /// The state that a connection to be restored had in an earlier program.
    enum Restored: Sendable {
        /// The connection was established.
        case stood
        /// An attempt to connect was running.
        case attempted
        /// The connection was established, and the app has requested its end since then.
        case unwanted
    }

    /// The next attempt to connect that is planned while there is no connection.
    enum Prospect: Sendable {
        case nothing
        /// The policy makes the next attempt after its delay.
        case retry
        /// The policy makes the next attempt when the radio is back.
        case radio
    }

    /// The way a connection or an attempt is being ended.
    struct Ending: Sendable {
        let wasConnected: Bool
        /// The reason why the manager ends the connection; nil if the app requested the end.
        var reason: PeripheralError?
        /// A Boolean value that is true if the app does not want to reconnect.
        var isForced = false
        /// A Boolean value that is true if the policy makes another attempt afterwards.
        var retries = false
    }

    /// The state of the connection, with the values that exist only in that state.
    enum State: Sendable {
        case idle(Prospect)
        /// An attempt is running; `isAwaited` is true until the peripheral is heard for the first time since it began.
        case connecting(isAwaited: Bool)
        case connected
        case ending(Ending)

        var link: LinkState {
            switch self {
            case .idle: .idle
            case .connecting: .connecting
            case .connected: .connected
            case .ending(let ending): ending.wasConnected ? .disconnecting : .aborting
            }
        }

        /// A Boolean value that is true if the policy is about to connect again.
        var isRetrying: Bool {
            switch self {
            case .idle(.retry), .idle(.radio): true
            case .ending(let ending): ending.retries
            case .idle(.nothing), .connecting, .connected: false
            }
        }
    }
}

extension ConnectionMachine.State: CustomStringConvertible {
    var description: String {
        switch self {
        case .idle(.nothing): "idle"
        case .idle(.retry): "before a retry"
        case .idle(.radio): "before the radio"
        case .connecting(let isAwaited): isAwaited ? "awaiting" : "connecting"
        case .connected: "connected"
        case .ending(let ending):
            ending.wasConnected ? "disconnecting\(ending.words)" : "aborting\(ending.words)"
        }
    }
}

extension ConnectionMachine.Ending {
    fileprivate var words: String {
        (reason == nil ? "" : " as lost") + (isForced ? " forced" : "") + (retries ? " to retry" : "")
    }
}
