// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Logging

/// The log of a manager. Every line passes through here, so that ``LogPrivacy`` holds for all of them.
///
/// The level `debug` is for normal operation, including changes of state and power. The level `warning` is for messages
/// that need the app's attention; a repeated warning is logged at `debug`, so that a lasting problem does not fill a
/// log. The text of a line is always the same, and its variable parts are in the metadata. Values of attributes are not
/// logged.
struct RadioLog: Sendable {
    /// The metadata of a line, by name.
    typealias Values = KeyValuePairs<String, LogText>

    /// The maximum number of different warnings that are remembered; further warnings are logged at `debug`.
    private static let maximumWarnings = 256

    private let logger: Logger
    private let privacy: LogPrivacy
    private let warned = Locked<Set<String>>([])

    init(_ logger: Logger, _ privacy: LogPrivacy) {
        self.logger = logger
        self.privacy = privacy
    }

    func debug(_ text: StaticString, _ values: @autoclosure () -> Values = [:]) {
        logger.debug("\(text)", metadata: metadata(values()))
    }

    func warning(_ text: StaticString, _ values: Values = [:]) {
        let what = ([text.description] + values.map { $0.value.text(.plain) }).joined(separator: "\n")
        let isNew = warned.withLock { $0.count < Self.maximumWarnings && $0.insert(what).inserted }
        logger.log(level: isNew ? .warning : .debug, "\(text)", metadata: metadata(values))
    }

    private func metadata(_ values: Values) -> Logger.Metadata {
        Logger.Metadata(values.map { ($0.key, .string($0.value.text(privacy))) }) { first, _ in first }
    }
}

/// The level of detail about nearby devices in a manager's log.
public enum LogPrivacy: Sendable, Hashable {
    /// Device addresses and identifiers appear as pseudonyms (`<device 5f3a09c1>`) and names as `<name>`.
    ///
    /// A device has the same pseudonym throughout a run of the program, and a different one in each run.
    case redacted
    /// Addresses, identifiers and names appear as they are.
    case plain
}
