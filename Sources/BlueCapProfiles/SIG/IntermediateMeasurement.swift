// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The notification of a measurement in progress, in the form of the measurement itself.
public protocol IntermediateMeasurement: CharacteristicValue, CharacteristicConfigurable, StringDeserializable, Hashable
{
    /// The form of the measurement.
    associatedtype Measurement: CharacteristicValue, StringDeserializable, Hashable

    /// The measurement so far.
    var measurement: Measurement { get set }

    /// Creates a value of what was measured so far.
    init(_ measurement: Measurement)
}

extension IntermediateMeasurement {
    /// A central may be notified of the value.
    public static var properties: CharacteristicProperties { .notify }

    /// No central may read or write the value.
    public static var permissions: AttributePermissions { [] }

    /// Bytes behind the known fields are ignored.
    public static var surplusBytes: SurplusBytes { .ignore }

    /// The units of the measurement.
    public static var units: [String: String] { Measurement.units }

    /// The texts of the measurement.
    public var stringValue: [String: String] { measurement.stringValue }

    #if !hasFeature(Embedded)
    /// The parts of the measurement.
    public var textParts: [TextPart] { measurement.textParts }
    #endif

    /// Creates a value from the measurement's texts; nil when they are not those of a measurement.
    public init?(stringValue: [String: String]) {
        guard let measurement = Measurement(stringValue: stringValue) else { return nil }
        self.init(measurement)
    }

    /// Reads a measurement.
    public init(from reader: inout ByteReader) throws(SerDeError) { self.init(try reader.read()) }

    /// The number of bytes that the measurement needs at the most.
    public var encodedByteCount: Int { measurement.encodedByteCount }

    /// Appends the measurement.
    public func encode(into output: inout OutputRawSpan) { measurement.encode(into: &output) }
}
