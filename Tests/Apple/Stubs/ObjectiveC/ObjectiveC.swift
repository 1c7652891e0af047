// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import ObjectiveC

// The compiler asks for these names when it passes a `BOOL`.
@frozen public struct ObjCBool {
    private let value: Bool

    public init(_ value: Bool) { self.value = value }

    public var boolValue: Bool { value }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }

extension NSObject: Equatable, Hashable {
    public static func == (left: NSObject, right: NSObject) -> Bool { left.isEqual(right) }
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
