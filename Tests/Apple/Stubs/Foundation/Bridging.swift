// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// What the compiler looks for by these names when a class of Objective-C becomes a type of Swift, or an error.

extension Data: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { Data() }
}

extension UUID: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSUUID { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSUUID, result: inout UUID?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSUUID, result: inout UUID?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSUUID?) -> UUID { UUID() }
}

extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { "" }
}

extension Int: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int { 0 }
}

extension Bool: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Bool { false }
}

extension Array: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSArray { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> [Element] { [] }
}

extension Dictionary: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?) -> Bool {
        false
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> [Key: Value] { [:] }
}

extension NSError: Error {}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
    public static var errorDomain: String { "" }
    public var errorUserInfo: [String: Any] { [:] }
}

public protocol __BridgedNSError: Error {
    static var __NSErrorDomain: String { get }
}

public protocol _ObjectiveCBridgeableError: Error {
    init?(_bridgedNSError error: NSError)
}

public protocol _BridgedStoredNSError: __BridgedNSError, _ObjectiveCBridgeableError, CustomNSError, Hashable {
    associatedtype Code: _ErrorCodeProtocol where Code.RawValue: FixedWidthInteger

    var _nsError: NSError { get }
    init(_nsError error: NSError)
}

extension _BridgedStoredNSError {
    public static var __NSErrorDomain: String { "" }
    public var code: Code { fatalError() }
    public var errorCode: Int { _nsError.code }
    public var errorUserInfo: [String: Any] { [:] }
    public init?(_bridgedNSError error: NSError) { return nil }
    public static func == (left: Self, right: Self) -> Bool { false }
    public func hash(into hasher: inout Hasher) {}
}

public protocol _ErrorCodeProtocol: Equatable, RawRepresentable {
    associatedtype _ErrorType: _BridgedStoredNSError where _ErrorType.Code == Self
}

public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
