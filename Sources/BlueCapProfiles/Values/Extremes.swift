// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The greatest and the least of a quantity over one revolution.
///
/// On the air the greatest stands first, little-endian. In text it is the other way round, as ranges are written:
/// "-20...310".
@frozen
public struct Extremes<Value: Deserializable & Hashable & LosslessStringConvertible>: ByteCodable, Hashable {
    /// The greatest value of the range.
    public var maximum: Value
    /// The least; nothing keeps a device from sending a greater one.
    public var minimum: Value

    /// Creates a pair of extremes.
    ///
    /// - Parameters:
    ///   - maximum: The greatest value.
    ///   - minimum: The least value.
    @inlinable
    public init(maximum: Value, minimum: Value) { (self.maximum, self.minimum) = (maximum, minimum) }

    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        maximum = try reader.read()
        minimum = try reader.read()
    }

    @inlinable public var encodedByteCount: Int { 2 * Value.size }

    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        maximum.encode(into: &output)
        minimum.encode(into: &output)
    }
}

extension Extremes: LosslessStringConvertible {
    /// The least and the greatest, with "..." between.
    public var description: String { "\(minimum.description)...\(maximum.description)" }

    /// Creates the extremes from a text as ``description`` has it; nil for any other.
    public init?(_ description: String) {
        guard let dots = description.indices.first(where: { description[$0...].hasPrefix("...") }),
            let minimum = Value(String(description[..<dots])),
            let maximum = Value(String(description[dots...].dropFirst(3)))
        else { return nil }
        self.init(maximum: maximum, minimum: minimum)
    }
}
