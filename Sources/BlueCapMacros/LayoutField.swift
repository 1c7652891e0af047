// SPDX-License-Identifier: MIT

#if Macros
import SwiftSyntax

/// One stored property of a layout: its type, the condition of its presence, and its encoding.
struct LayoutField {
    enum Presence: Equatable {
        case always
        /// The bit tells whether an optional or an array is there.
        case flag(Int)
        case bit(Int)
        case bits(ClosedRange<Int>)
        /// With the bit the field has its own type, without it this one.
        case wide(Int, otherwise: String)
    }

    enum Coding: Equatable {
        case plain
        case constant
        case scaled(Scale)
        case counted(by: String)
    }

    struct Scale: Equatable {
        var raw: String
        var factor: String
        var offset: String?
        var unit: String?
        var unknown: String?
    }

    let name: String
    /// The type without the optional's question mark.
    let type: TypeSyntax
    let isOptional: Bool
    var presence = Presence.always
    var coding = Coding.plain
    var isBigEndian = false

    var typeName: String { type.trimmedDescription }

    /// Whether the type reads all bytes that are left, or a given number of elements.
    var isSequence: Bool {
        if type.is(ArrayTypeSyntax.self) { return true }
        let base = type.as(IdentifierTypeSyntax.self)?.name.text
        return ["Array", "PackedArray", "Bytes", "String"].contains(base)
    }

    /// Whether the field leaves nothing for those behind it.
    var takesRest: Bool { isSequence && coding == .plain }

    var bits: ClosedRange<Int>? {
        switch presence {
        case .always: nil
        case .flag(let bit), .bit(let bit), .wide(let bit, _): bit...bit
        case .bits(let bits): bits
        }
    }
}

/// Facts of types that follow from their names alone.
enum KnownType {
    /// The bytes of types that always have as many.
    static let sizes = [
        "Int8": 1, "Int16": 2, "Int24": 3, "Int32": 4, "Int48": 6, "Int64": 8,
        "UInt8": 1, "UInt16": 2, "UInt24": 3, "UInt32": 4, "UInt40": 5, "UInt48": 6, "UInt64": 8,
        "Bool": 1, "Float": 4, "Double": 8, "SFloat": 2, "MedFloat": 4,
    ]

    /// The integers of this package, and those of Swift that they are computed with.
    static let narrow = [
        "Int24": "Int32", "UInt24": "UInt32", "UInt40": "UInt64", "Int48": "Int64", "UInt48": "UInt64",
    ]

    static let integers: Set = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"]

    /// Whether a type has every number of another, both integers.
    static func holds(_ type: String, everyOf other: String) -> Bool {
        let all = integers.union(narrow.keys)
        guard all.contains(type), all.contains(other), let size = sizes[type], let otherSize = sizes[other] else {
            return false
        }
        let (isSigned, isOtherSigned) = (type.hasPrefix("I"), other.hasPrefix("I"))
        return isSigned == isOtherSigned ? otherSize <= size : isSigned && otherSize < size
    }

    static let flags: Set = ["UInt8", "UInt16", "UInt24", "UInt32", "UInt40", "UInt48", "UInt64"]
}
#endif
