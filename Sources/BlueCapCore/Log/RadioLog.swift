// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Logging

/// The log of a manager. Every line passes through here, so that ``LogPrivacy`` holds for all of them.
///
/// Levels: `debug` for what goes its usual way, changes of state and power included; `warning` for what the app should
/// look at, where the same warning comes again at `debug`, so that nothing that goes on fills a log. What varies is in
/// the metadata of a line, and its text is always the same. Values of attributes are not logged.
struct RadioLog: Sendable {
    /// What a line is about, by name.
    typealias Values = KeyValuePairs<String, LogText>

    /// How many different warnings are told apart; more than these come at `debug`.
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

/// How much a manager's log says about the devices around.
public enum LogPrivacy: Sendable, Hashable {
    /// Device addresses and identifiers appear as pseudonyms (`<device 5f3a09c1>`) and names as `<name>`. A pseudonym
    /// is the same for one device throughout a run of the program, and says nothing in another run.
    case redacted
    /// Addresses, identifiers and names appear as they are.
    case plain
}
