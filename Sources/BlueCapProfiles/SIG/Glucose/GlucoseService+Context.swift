// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension GlucoseService {
    /// The conditions of a measurement (Glucose Service 1.0, 3.2; GATT Specification Supplement, Glucose Measurement
    /// Context).
    ///
    /// One byte of flags and the sequence number, then the fields that the flags announce, little-endian. Bytes behind
    /// the known fields are passed over and not kept, so that a newer meter's values stay readable.
    public struct Context: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A34"
        public static let name = "Glucose Measurement Context"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The number of the ``Measurement`` to which this belongs.
        public var sequenceNumber: UInt16 = 0
        /// Eight more flags, all of them reserved.
        public var extendedFlags: UInt8?
        /// The carbohydrates that the user ate.
        public var carbohydrate: Carbohydrate?
        /// The time of the carbohydrates in relation to a meal.
        public var meal: Meal?
        /// The tester and the health of the user.
        public var testerHealth: TesterHealth?
        /// The exercise that the user took.
        public var exercise: Exercise?
        /// The medicine that the user took.
        public var medication: Medication?
        /// The share of glycated haemoglobin in percent.
        public var hbA1c: SFloat?

        /// Carbohydrates that the user ate.
        public struct Carbohydrate: Hashable, Sendable {
            /// The meal at which they were eaten.
            public var id: CarbohydrateID
            /// The mass of the carbohydrates in kilograms.
            public var kilograms: SFloat

            /// Creates a record of carbohydrates.
            ///
            /// - Parameters:
            ///   - id: The meal.
            ///   - kilograms: The mass of the carbohydrates in kilograms.
            public init(id: CarbohydrateID, kilograms: SFloat) { (self.id, self.kilograms) = (id, kilograms) }
        }

        /// The tester and the health of the user.
        public struct TesterHealth: Hashable, Sendable {
            /// The person or laboratory that measured.
            public var tester: Tester
            /// The health of the user.
            public var health: Health

            /// Creates a record of the measurement's circumstances.
            ///
            /// - Parameters:
            ///   - tester: The person or laboratory that measured.
            ///   - health: The health of the user.
            public init(tester: Tester = .notAvailable, health: Health = .notAvailable) {
                (self.tester, self.health) = (tester, health)
            }
        }

        /// Exercise that the user took.
        public struct Exercise: Hashable, Sendable {
            /// The duration in seconds; 65535 for that or more.
            public var duration: UInt16
            /// The intensity in percent.
            public var intensity: UInt8

            /// Creates a record of exercise.
            ///
            /// - Parameters:
            ///   - duration: The duration in seconds; 65535 for that or more.
            ///   - intensity: The intensity in percent.
            public init(duration: UInt16 = 0, intensity: UInt8 = 0) {
                (self.duration, self.intensity) = (duration, intensity)
            }
        }

        /// Medicine that the user took.
        public struct Medication: Hashable, Sendable {
            /// The kind of medicine.
            public var id: MedicationID
            /// The amount of the medicine in ``unit``.
            public var amount: SFloat
            /// The unit of the amount.
            public var unit: Unit

            /// The units of medicines.
            public enum Unit: String, Sendable, CaseIterable, LosslessStringConvertible {
                /// A mass in kilograms.
                case kilograms = "kg"
                /// A volume in litres.
                case litres = "L"

                /// "kg" or "L".
                public var description: String { rawValue }

                /// Creates the unit with the text; nil for any other.
                public init?(_ description: String) { self.init(rawValue: description) }
            }

            /// Creates a record of medication.
            ///
            /// - Parameters:
            ///   - id: The kind of medicine.
            ///   - amount: The amount of the medicine in `unit`.
            ///   - unit: The unit of the amount.
            public init(id: MedicationID, amount: SFloat, unit: Unit = .kilograms) {
                (self.id, self.amount, self.unit) = (id, amount, unit)
            }
        }

        /// Creates the context of measurement 0, of which nothing is known.
        public init() {}

        #if !hasFeature(Embedded)
        /// `sequenceNumber`, and where the value has them, the others; amounts in kg or L, the duration in s or "65535
        /// or more", and `hbA1c` and `exerciseIntensity` in percent.
        public static let textFields: [TextField<Self>] = [
            TextField("sequenceNumber", \.sequenceNumber),
            TextField("extendedFlags", \.extendedFlags),
            TextField("carbohydrateID", \.carbohydrate, \.id, initial: noCarbohydrate),
            TextField("carbohydrate", unit: "kg", \.carbohydrate, \.kilograms, initial: noCarbohydrate),
            TextField(choice: "meal", \.meal),
            TextField("tester", \.testerHealth, \.tester, initial: TesterHealth()),
            TextField("health", \.testerHealth, \.health, initial: TesterHealth()),
            TextField(
                "exerciseDuration", unit: "s", \.exercise, \.duration, initial: Exercise(), unknown: .max,
                as: "65535 or more"),
            TextField("exerciseIntensity", unit: "%", \.exercise, \.intensity, initial: Exercise()),
            TextField("medicationID", \.medication, \.id, initial: noMedication),
            TextField(
                "medication", \.medication, \.amount, initial: noMedication, unitOfValue: \.medication?.unit.rawValue),
            TextField("medicationUnit", \.medication, \.unit, initial: noMedication),
            TextField("hbA1c", unit: "%", \.hbA1c),
        ]
        #endif

        private static let noCarbohydrate = Carbohydrate(id: CarbohydrateID(rawValue: 0), kilograms: .nan)
        private static let noMedication = Medication(id: MedicationID(rawValue: 0), amount: .nan)

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt8.self)
            sequenceNumber = try reader.read()
            if flags & 0x80 != 0 { extendedFlags = try reader.read() }
            if flags & 0x01 != 0 {
                carbohydrate = Carbohydrate(
                    id: CarbohydrateID(rawValue: try reader.read()), kilograms: try reader.read())
            }
            if flags & 0x02 != 0 { meal = Meal(rawValue: try reader.read()) }
            if flags & 0x04 != 0 {
                let nibbles = try reader.read(UInt8.self)
                testerHealth = TesterHealth(tester: Tester(rawValue: nibbles), health: Health(rawValue: nibbles >> 4))
            }
            if flags & 0x08 != 0 {
                exercise = Exercise(duration: try reader.read(), intensity: try reader.read())
            }
            if flags & 0x10 != 0 {
                medication = Medication(
                    id: MedicationID(rawValue: try reader.read()), amount: try reader.read(),
                    unit: flags & 0x20 == 0 ? .kilograms : .litres)
            }
            if flags & 0x40 != 0 { hbA1c = try reader.read() }
        }

        public var encodedByteCount: Int {
            var count = 3
            if extendedFlags != nil { count += 1 }
            if carbohydrate != nil { count += 3 }
            if meal != nil { count += 1 }
            if testerHealth != nil { count += 1 }
            if exercise != nil { count += 3 }
            if medication != nil { count += 3 }
            if hbA1c != nil { count += 2 }
            return count
        }

        private var flags: UInt8 {
            var flags: UInt8 = 0
            if carbohydrate != nil { flags |= 0x01 }
            if meal != nil { flags |= 0x02 }
            if testerHealth != nil { flags |= 0x04 }
            if exercise != nil { flags |= 0x08 }
            if let medication { flags |= medication.unit == .litres ? 0x30 : 0x10 }
            if hbA1c != nil { flags |= 0x40 }
            if extendedFlags != nil { flags |= 0x80 }
            return flags
        }

        public func encode(into output: inout OutputRawSpan) {
            output.write(flags)
            output.write(sequenceNumber)
            extendedFlags?.encode(into: &output)
            if let carbohydrate {
                output.write(carbohydrate.id.rawValue)
                carbohydrate.kilograms.encode(into: &output)
            }
            meal?.rawValue.encode(into: &output)
            if let testerHealth { output.write(testerHealth.tester.rawValue | testerHealth.health.rawValue << 4) }
            if let exercise {
                output.write(exercise.duration)
                output.write(exercise.intensity)
            }
            if let medication {
                output.write(medication.id.rawValue)
                medication.amount.encode(into: &output)
            }
            hbA1c?.encode(into: &output)
        }
    }
}
