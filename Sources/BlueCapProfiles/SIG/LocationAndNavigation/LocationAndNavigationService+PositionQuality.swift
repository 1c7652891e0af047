// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension LocationAndNavigationService {
    /// The quality of the location: 16 flags and the fields that they announce (Location and Navigation Service 1.0,
    /// 3.3; GATT Specification Supplement, Position Quality).
    ///
    /// Reserved flags, and bytes behind the known fields, are passed over and not kept.
    public struct PositionQuality: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A69"
        public static let name = "Position Quality"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0, 0]
        public static let surplusBytes = SurplusBytes.ignore

        /// The number of beacons (satellites) from which the location was computed.
        public var beaconsInSolution: UInt8?
        /// The number of beacons (satellites) in view.
        public var beaconsInView: UInt8?
        /// The time to the first location in seconds, in steps of 0.1.
        public var timeToFirstFix: Scaled<UInt16, Per10>?
        /// The estimated error on the plane in metres, in 0.01.
        public var horizontalError: Scaled<UInt32, Per100>?
        /// The estimated error in height in metres, in 0.01.
        public var verticalError: Scaled<UInt32, Per100>?
        /// The dilution of precision on the plane, in 0.2.
        public var horizontalDilution: Scaled<UInt8, Per5>?
        /// The dilution of precision in height, in 0.2.
        public var verticalDilution: Scaled<UInt8, Per5>?
        /// The status of the location.
        public var positionStatus = PositionStatus.noPosition

        /// No field, and no position.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&beaconsInSolution, 0)
            try visitor.field(&beaconsInView, 1)
            try visitor.field(&timeToFirstFix, 2)
            try visitor.field(&horizontalError, 3)
            try visitor.field(&verticalError, 4)
            try visitor.field(&horizontalDilution, 5)
            try visitor.field(&verticalDilution, 6)
            visitor.number(&positionStatus, 7, count: 2)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("beaconsInSolution", \.beaconsInSolution), TextField("beaconsInView", \.beaconsInView),
            TextField("timeToFirstFix", unit: "s", \.timeToFirstFix),
            TextField("horizontalError", unit: "m", \.horizontalError),
            TextField("verticalError", unit: "m", \.verticalError),
            TextField("horizontalDilution", \.horizontalDilution),
            TextField("verticalDilution", \.verticalDilution), TextField(choice: "positionStatus", \.positionStatus),
        ]
        #endif
    }
}
