// SPDX-License-Identifier: MIT

import Logging

/// The amount that a manager logs.
///
/// It stands for the levels of swift-log, so that an app can choose a level without importing swift-log.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
    /// All messages, including those about normal operation.
    case debug
    /// Only messages that need the app's attention.
    case warning
    /// No messages are logged.
    case off

    /// Creates the level of a manager's log, which has only `debug` and `warning`, for a logger's level.
    init(_ level: Logger.Level) {
        self =
            switch level {
            case .trace, .debug: .debug
            case .info, .notice, .warning: .warning
            case .error, .critical: .off
            }
    }

    var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .warning: .warning
        case .off: .critical
        }
    }
}
