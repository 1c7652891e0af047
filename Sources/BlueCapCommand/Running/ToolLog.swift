// SPDX-License-Identifier: MIT

import BlueCap
import Logging

/// The log of the library on standard error, as `--verbose` shows it: a line for each event.
///
/// Texts of the bus and of devices stand in these lines, so they go where all messages of the tool go, and not to
/// swift-log's own handler, which writes them as they are.
struct ToolLog: LogHandler {
    let label: String
    var write: @Sendable (String) -> Void = { report($0) }
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.error

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let values = all.map { " \($0.key)=\($0.value)" }.joined()
        write("\(JSONLine.date(.now)) \(event.level) \(label):\(values) \(event.message)")
    }
}

extension Logger {
    /// The tool's log of a manager: quiet unless asked, since results and errors report all important events.
    func ofTool(isVerbose: Bool) -> Logger {
        var logger = Logger(label: label) { ToolLog(label: $0) }
        logger.logLevel = isVerbose ? .debug : .error
        return logger
    }
}
