// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

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
