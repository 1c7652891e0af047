// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// Where the connection stands, between the manager and the backend.
    enum LinkState: Sendable {
        /// There is none, and the backend was not asked for one.
        case idle
        /// The backend was asked to connect.
        case connecting
        /// The backend was asked to take back the attempt and has not confirmed.
        case aborting
        /// It stands.
        case connected
        /// The backend was asked to disconnect and has not confirmed.
        case disconnecting
    }

    /// Where a connection stood that is to be restored.
    enum Restored: Sendable {
        /// It stood.
        case stood
        /// It was being made.
        case attempted
        /// It stood, and the app has said since that it is to end.
        case unwanted
    }

    /// What there is to come while there is no connection.
    enum Prospect: Sendable {
        case nothing
        /// The policy makes the next attempt when the time for it has come.
        case retry
        /// The policy makes the next attempt when the radio is back.
        case radio
    }

    /// How a connection or an attempt is being ended.
    struct Ending: Sendable {
        let wasConnected: Bool
        /// Why the manager ends it, where that was not the app's wish.
        var reason: PeripheralError?
        /// Whether the app wants it to stay down.
        var isForced = false
        /// Whether the policy makes another attempt afterwards.
        var retries = false
    }

    /// Where the connection stands, with what is known there only.
    enum State: Sendable {
        case idle(Prospect)
        /// The peripheral is awaited while it was not heard since the attempt began.
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

        /// Whether the policy is about to connect again.
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
