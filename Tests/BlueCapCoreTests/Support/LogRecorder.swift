// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Logging

/// A log handler that keeps the lines of a level or above it.
struct LogRecorder: LogHandler {
    let lines = Locked<[(level: Logger.Level, text: String)]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    init(logLevel: Logger.Level = .warning) { self.logLevel = logLevel }

    /// A logger of which this keeps the lines.
    var logger: Logger { Logger(label: "test") { _ in self } }

    /// The messages, each with its metadata.
    var texts: [String] { lines.withLock { $0.map(\.text) } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        lines.withLock { $0.append((event.level, "\(event.message)" + values)) }
    }
}
