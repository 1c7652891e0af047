// SPDX-License-Identifier: MIT

import Logging

/// How much a manager logs. It stands for the levels of swift-log, so that an app need not import that to choose one.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
    /// Everything, what goes its usual way included.
    case debug
    /// Only what the app should look at.
    case warning
    /// Nothing at all.
    case off

    /// What a logger of a level lets through of a manager's log, which is all `debug` and `warning`.
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
