// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CyclingPowerService {
    /// Force or torque along one revolution of the crank (Cycling Power Service 1.1, 3; GATT Specification Supplement,
    /// Cycling Power Vector).
    ///
    /// One byte of flags, then the fields that they announce, little-endian; the magnitudes, oldest first, take all
    /// bytes that are left. Reserved flags, and bytes behind the known fields where there are no magnitudes, are passed
    /// over and not kept.
    public struct Vector: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A64"
        public static let name = "Cycling Power Vector"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// Crank revolutions: a `UInt16`, and the time in 1/1024 s.
        public var crank: RevolutionData<UInt16, Per1024>?
        /// The crank's angle in degrees at the first magnitude.
        public var firstCrankMeasurementAngle: UInt16?
        /// The forces in newtons.
        public var forces: PackedArray<Int16> = []
        /// Torques in newton metres, in steps of 1/32. A value has forces or torques; with both, only the forces are
        /// sent.
        public var torques: PackedArray<Scaled<Int16, Per32>> = []
        /// The part of the force or torque that the magnitudes are.
        public var direction = Direction.unknown

        /// A part of a force.
        public struct Direction: AssignedNumber {
            /// The two bits as they are sent.
            public let rawValue: UInt8

            /// Creates a direction from the lowest two bits of a number.
            public init(rawValue: UInt8) { self.rawValue = rawValue & 3 }

            /// The value is not known.
            public static let unknown = Self(rawValue: 0)
            /// Along the circle.
            public static let tangential = Self(rawValue: 1)
            /// Along the crank.
            public static let radial = Self(rawValue: 2)
            /// Along the axle.
            public static let lateral = Self(rawValue: 3)

            /// The directions, all of which have names.
            public static let assigned: [(Self, String)] = [
                (.unknown, "Unknown"), (.tangential, "Tangential"), (.radial, "Radial"), (.lateral, "Lateral"),
            ]
        }

        /// Creates a vector of nothing.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("crankRevolutions", \.crank, \.revolutions, initial: .init()),
            TextField("crankEventTime", unit: "s", \.crank, \.eventTime, initial: .init()),
            TextField("firstCrankMeasurementAngle", unit: "°", \.firstCrankMeasurementAngle),
            TextField(list: "forces", unit: "N", \.forces),
            TextField(list: "torques", unit: "N m", \.torques),
            TextField(choice: "direction", \.direction),
        ]
        #endif

        /// Reads the flags and the fields that they announce.
        ///
        /// - Throws: `SerDeError.invalidValue(offset:)` when the flags announce forces and torques at once, which the
        ///   specification forbids and no reader could tell apart.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            let start = reader.offset
            let flags = try reader.read(UInt8.self)
            guard flags & 0x0c != 0x0c else { throw .invalidValue(offset: start) }
            direction = Direction(rawValue: flags >> 4)
            if flags & 1 != 0 { crank = try reader.read() }
            if flags & 2 != 0 { firstCrankMeasurementAngle = try reader.read() }
            if flags & 4 != 0 { forces = try reader.read() }
            if flags & 8 != 0 { torques = try reader.read() }
        }

        public var encodedByteCount: Int {
            1 + (crank == nil ? 0 : 4) + (firstCrankMeasurementAngle == nil ? 0 : 2)
                + (forces.isEmpty ? torques.encodedByteCount : forces.encodedByteCount)
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags = direction.rawValue << 4
            if crank != nil { flags |= 1 }
            if firstCrankMeasurementAngle != nil { flags |= 2 }
            if !forces.isEmpty { flags |= 4 } else if !torques.isEmpty { flags |= 8 }
            output.write(flags)
            crank?.encode(into: &output)
            firstCrankMeasurementAngle?.encode(into: &output)
            if forces.isEmpty { torques.encode(into: &output) } else { forces.encode(into: &output) }
        }
    }
}
