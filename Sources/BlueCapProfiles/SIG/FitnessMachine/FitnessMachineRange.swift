// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The range of a target of the ``FitnessMachineService``: its bounds and its steps.
public protocol FitnessMachineRange: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
    /// The form of the bounds.
    associatedtype Bound: ByteCodable & LosslessStringConvertible & Hashable
    /// The form of the step.
    associatedtype Increment: ByteCodable & LosslessStringConvertible & Hashable

    /// The unit of the bounds and of the step, such as "km/h".
    static var unit: String { get }

    /// The least value of the range.
    var minimum: Bound { get set }
    /// The greatest value of the range.
    var maximum: Bound { get set }
    /// The step between two values of the range.
    var minimumIncrement: Increment { get set }

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - minimum: The least value of the range.
    ///   - maximum: The greatest value of the range.
    ///   - minimumIncrement: The step between two values of the range.
    init(minimum: Bound, maximum: Bound, minimumIncrement: Increment)
}

extension FitnessMachineRange {
    /// A central may read the value.
    public static var properties: CharacteristicProperties { .read }

    /// A central may read the value, and not write it.
    public static var permissions: AttributePermissions { .readable }

    /// Reads the least, the greatest and the step.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self.init(minimum: try reader.read(), maximum: try reader.read(), minimumIncrement: try reader.read())
    }

    /// The size of the three.
    public var encodedByteCount: Int {
        minimum.encodedByteCount + maximum.encodedByteCount + minimumIncrement.encodedByteCount
    }

    /// Appends the least, the greatest and the step.
    public func encode(into output: inout OutputRawSpan) {
        minimum.encode(into: &output)
        maximum.encode(into: &output)
        minimumIncrement.encode(into: &output)
    }

    #if !hasFeature(Embedded)
    /// `minimum`, `maximum` and `minimumIncrement`.
    public static var textFields: [TextField<Self>] {
        [
            TextField("minimum", unit: unit, \.minimum), TextField("maximum", unit: unit, \.maximum),
            TextField("minimumIncrement", unit: unit, \.minimumIncrement),
        ]
    }
    #endif
}
