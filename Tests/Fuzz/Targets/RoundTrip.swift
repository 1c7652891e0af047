// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Decodes, and expects that a value that comes out is the same after it was encoded and decoded again.
@discardableResult
func roundTrip<Value: ByteCodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    let value: Value
    do throws(SerDeError) {
        value = try SerDe.deserialize(bytes, as: Value.self)
    } catch {
        // Arrays, and inline or shared bytes, must be refused alike.
        do throws(SerDeError) {
            _ = try SerDe.deserialize(Bytes(bytes), as: Value.self)
            fail("\(Value.self): \(Bytes(bytes)) is refused in an array only")
        } catch let other {
            expect(other == error, "\(Value.self): \(error) and \(other)")
        }
        return nil
    }
    expectEncoding(of: value)
    return value
}

/// Expects that a value is the same after it was encoded and decoded again.
func expectEncoding<Value: ByteCodable>(of value: Value) {
    let encoded = SerDe.serialize(value)
    expect(encoded.count <= value.encodedByteCount, "\(Value.self): \(encoded) is longer than it says")
    expect(SerDe.serialize(value, as: [UInt8].self) == Array(encoded), "\(Value.self): \(encoded) in an array differs")
    let again: Value
    do throws(SerDeError) {
        again = try SerDe.deserialize(encoded)
    } catch {
        fail("\(Value.self): \(encoded) was written and is refused: \(error)")
    }
    expect(SerDe.serialize(again) == encoded, "\(Value.self): \(encoded) is written otherwise after it was read")
    // A NaN equals no value, though an array of them equals itself; then only the bytes are compared.
    if value is Float || value is Double || value is [Float] || value is [Double] { return }
    expect(isEqual(value, again), "\(Value.self): \(value) became \(again)")
}

/// Expects that a value is the same after it became text and was read from it.
func expectText<Value: StringDeserializable>(of value: Value) -> [String: String] {
    let text = value.stringValue
    guard let again = Value(stringValue: text) else {
        fail("\(Value.self): \(text) was written and is refused")
    }
    expect(isEqual(value, again), "\(Value.self): \(value) became \(again) by way of \(text)")
    return text
}

/// Whether two values are equal; true if the type is not Equatable.
func isEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? any Equatable else { return true }
    return equals(left, right)
}

private func equals<Left: Equatable>(_ left: Left, _ right: Any) -> Bool { left == right as? Left }
