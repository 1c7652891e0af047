// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public protocol LogHandler: Sendable {}

public struct SwiftLogNoOpLogHandler: LogHandler {
    public init() {}
}

public struct Logger: Sendable {
    public enum Level: Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    public struct Message: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Sendable {
        public init(stringLiteral: String) {}
    }

    public enum MetadataValue: Sendable {
        case string(String)
    }

    public typealias Metadata = [String: MetadataValue]

    public init(label: String) {}
    public init(label: String, factory: (String) -> any LogHandler) {}

    public var logLevel: Level {
        get { .info }
        set {}
    }

    public func debug(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {}

    public func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {}
}
