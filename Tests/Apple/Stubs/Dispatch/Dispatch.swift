// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import Darwin
@_exported import Dispatch

public final class DispatchSpecificKey<Value> {
    public init() {}
}
extension DispatchSpecificKey: @unchecked Sendable {}

public enum DispatchPredicate {
    case onQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}

public struct DispatchQoS: Sendable {
    public static let utility = DispatchQoS()
    public static let unspecified = DispatchQoS()
}

extension DispatchQueue {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64

        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    public enum AutoreleaseFrequency: Sendable {
        case inherit
        case workItem
    }

    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) { fatalError() }

    public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {}
    public class func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { nil }
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

public struct DispatchData: Sendable, RandomAccessCollection {
    public init(bytes: UnsafeRawBufferPointer) {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { 0 }
}

extension DispatchIO {
    public enum StreamType: UInt, Sendable {
        case stream = 0
    }

    public struct CloseFlags: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let stop = CloseFlags(rawValue: 1)
    }

    public convenience init(
        type: StreamType, fileDescriptor: Int32, queue: DispatchQueue, cleanupHandler: @escaping (Int32) -> Void
    ) { fatalError() }

    public func setLimit(lowWater: Int) {}
    public func read(
        offset: off_t, length: Int, queue: DispatchQueue, ioHandler: @escaping (Bool, DispatchData?, Int32) -> Void
    ) {}
    public func write(
        offset: off_t, data: DispatchData, queue: DispatchQueue,
        ioHandler: @escaping (Bool, DispatchData?, Int32) -> Void
    ) {}
    public func close(flags: CloseFlags = []) {}
}

extension DispatchSource {
    public typealias DispatchSourceHandler = @Sendable @convention(block) () -> Void

    public class func makeReadSource(fileDescriptor: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceRead {
        fatalError()
    }
}

extension DispatchSourceProtocol {
    public func setEventHandler(handler: DispatchSource.DispatchSourceHandler?) {}
    public func resume() {}
    public func cancel() {}
}
