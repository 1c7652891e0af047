// SPDX-License-Identifier: MIT

import Logging

/// The log of a manager. Every line passes through here, so that ``LogPrivacy`` holds for all of them.
///
/// Levels: `debug` for what goes its usual way, changes of state and power included; `warning` for what the app should
/// look at. Values of attributes are not logged.
struct RadioLog: Sendable {
    private let logger: Logger
    private let privacy: LogPrivacy

    init(_ logger: Logger, _ privacy: LogPrivacy) {
        self.logger = logger
        self.privacy = privacy
    }

    func debug(_ text: @autoclosure () -> LogText) { logger.debug("\(text().text(privacy))") }

    func warning(_ text: @autoclosure () -> LogText) { logger.warning("\(text().text(privacy))") }
}
