// SPDX-License-Identifier: MIT

extension PlacedJSON {
    /// Decodes a value.
    ///
    /// - Throws: The error of the type, or a `DecodingError`; `place(of:)` has its place.
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONValueDecoder(self, []).decode(type)
    }

    /// The place of an error that ``decode(_:)`` has thrown.
    package func place(of error: DecodingError) -> JSONPlace {
        switch error {
        case .dataCorrupted(let context):
            // The key of an object that has a key too many.
            let key = (context.underlyingError as? any CodingKey)?.stringValue
            guard let key, let value = value(at: context.codingPath) else { return place(at: context.codingPath) }
            return value.place(ofKey: key)
        case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            return place(at: context.codingPath)
        @unknown default: return place
        }
    }
}

/// Decodes one value.
struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: PlacedJSON
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: PlacedJSON, _ path: [any CodingKey]) { (self.value, codingPath) = (value, path) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value.content else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(JSONObjectContainer(members, codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let values) = value.content else { throw mismatch([Any].self) }
        return JSONListContainer(values, codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { if case .null = value.content { true } else { false } }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .truth(let isTrue) = value.content else { throw mismatch(type) }
        return isTrue
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value.content else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try floating(type) }
    func decode(_ type: Float.Type) throws -> Float { try floating(type) }
    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    /// A whole number that fits its type; `1.0` and `1e2` are whole, too.
    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard case .number(let text) = value.content else { throw mismatch(type) }
        if let number = Number(text) { return number }
        // Exact up to 2^53; a number with more digits is written without a point.
        if let number = Double(text), let whole = Number(exactly: number), number.magnitude <= 0x1p53 { return whole }
        throw misfit("this is a whole number from \(Number.min) to \(Number.max)")
    }

    /// A number that is not lost: an infinite one is too great, and one that became zero is too small.
    private func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ type: Number.Type) throws -> Number
    {
        guard case .number(let text) = value.content else { throw mismatch(type) }
        guard let number = Number(text), number.isFinite, !number.isZero || Self.isZero(text) else {
            throw misfit("this number is too great or too small")
        }
        return number
    }

    /// Whether all digits of a number before its exponent are zeros.
    private static func isZero(_ text: String) -> Bool {
        text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
            .allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0) }
    }

    private func misfit(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }

    private func mismatch(_ type: any Any.Type) -> DecodingError {
        if decodeNil() {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "there is no value")
            return .valueNotFound(type, context)
        }
        let reason = "the value is not \(DecodingFault.name(type))"
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }
}
