// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension LocationAndNavigationService {
    /// The quality of the location: 16 flags and the fields that they announce (Location and Navigation Service 1.0,
    /// 3.3; GATT Specification Supplement, Position Quality).
    ///
    /// Reserved flags, and bytes behind the known fields, are passed over and not kept.
    public struct PositionQuality: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A69"
        public static let name = "Position Quality"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0, 0]
        /// Bytes behind the known fields are ignored.
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

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt16.self)
            beaconsInSolution = try reader.read(if: flags.bit(0))
            beaconsInView = try reader.read(if: flags.bit(1))
            timeToFirstFix = try reader.read(if: flags.bit(2))
            horizontalError = try reader.read(if: flags.bit(3))
            verticalError = try reader.read(if: flags.bit(4))
            horizontalDilution = try reader.read(if: flags.bit(5))
            verticalDilution = try reader.read(if: flags.bit(6))
            positionStatus = PositionStatus(rawValue: UInt8(flags >> 7 & 3))
        }

        public var encodedByteCount: Int {
            var count = 2 + beaconsInSolution.fieldByteCount + beaconsInView.fieldByteCount
            count += timeToFirstFix.fieldByteCount + horizontalError.fieldByteCount + verticalError.fieldByteCount
            return count + horizontalDilution.fieldByteCount + verticalDilution.fieldByteCount
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags = UInt16(positionStatus.rawValue) << 7
            flags.set(0, if: beaconsInSolution != nil)
            flags.set(1, if: beaconsInView != nil)
            flags.set(2, if: timeToFirstFix != nil)
            flags.set(3, if: horizontalError != nil)
            flags.set(4, if: verticalError != nil)
            flags.set(5, if: horizontalDilution != nil)
            flags.set(6, if: verticalDilution != nil)
            output.write(flags)
            beaconsInSolution.encodeField(into: &output)
            beaconsInView.encodeField(into: &output)
            timeToFirstFix.encodeField(into: &output)
            horizontalError.encodeField(into: &output)
            verticalError.encodeField(into: &output)
            horizontalDilution.encodeField(into: &output)
            verticalDilution.encodeField(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `beaconsInSolution`, `beaconsInView`, `timeToFirstFix`, `horizontalError`, `verticalError`,
        /// `horizontalDilution`, `verticalDilution` and `positionStatus`.
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
