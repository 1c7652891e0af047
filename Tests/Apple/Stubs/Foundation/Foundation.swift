// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import Darwin
@_exported import Foundation
@_exported import ObjectiveC

public typealias TimeInterval = Double
public typealias uuid_t = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
)

@frozen public struct Data: Sendable, Hashable, RandomAccessCollection {
    private var bytes: [UInt8]

    public init() { bytes = [] }
    public init<Elements: Sequence>(_ elements: Elements) where Elements.Element == UInt8 { bytes = Array(elements) }
    public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }

    public var startIndex: Int { 0 }
    public var endIndex: Int { bytes.count }
    public subscript(index: Int) -> UInt8 { bytes[index] }
    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    @inlinable
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError()
    }
}

extension FileHandle {
    public func write(contentsOf data: Data) throws {}
}

@frozen public struct UUID: Sendable, Hashable {
    public init() {}
    public init(uuid: uuid_t) {}
    public init?(uuidString text: String) { return nil }

    public var uuid: uuid_t { fatalError() }
    public var uuidString: String { fatalError() }
}

public struct Date: Sendable, Hashable {
    public static var timeIntervalBetween1970AndReferenceDate: TimeInterval { 0 }

    public static var now: Date { fatalError() }

    public init(timeIntervalSinceReferenceDate: TimeInterval) {}

    public func ISO8601Format() -> String { "" }
}

public struct DateComponents: Sendable, Hashable {
    public init(
        year: Int? = nil, month: Int? = nil, day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil
    ) {}
}

open class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }

    public init() {}

    open var outputFormatting: OutputFormatting = []
    open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}

open class JSONDecoder {
    public init() {}

    open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}

public struct POSIXError: Error {
    public typealias Code = POSIXErrorCode

    public init(_ code: Code) {}
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
