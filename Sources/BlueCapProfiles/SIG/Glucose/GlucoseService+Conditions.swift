// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension GlucoseService {
    /// At which meal carbohydrates were eaten (GATT Specification Supplement, Glucose Measurement Context).
    public struct CarbohydrateID: AssignedNumber {
        /// The number as it is sent.
        public let rawValue: UInt8

        /// A meal from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Breakfast.
        public static let breakfast = Self(rawValue: 1)
        /// Lunch.
        public static let lunch = Self(rawValue: 2)
        /// Dinner.
        public static let dinner = Self(rawValue: 3)
        /// A snack.
        public static let snack = Self(rawValue: 4)
        /// A drink.
        public static let drink = Self(rawValue: 5)
        /// Supper.
        public static let supper = Self(rawValue: 6)
        /// Brunch.
        public static let brunch = Self(rawValue: 7)

        /// The meals that have names.
        public static let assigned: [(Self, String)] = [
            (.breakfast, "Breakfast"),
            (.lunch, "Lunch"),
            (.dinner, "Dinner"),
            (.snack, "Snack"),
            (.drink, "Drink"),
            (.supper, "Supper"),
            (.brunch, "Brunch"),
        ]
    }

    /// When something was eaten (GATT Specification Supplement, Glucose Measurement Context).
    public struct Meal: AssignedNumber {
        /// The number as it is sent.
        public let rawValue: UInt8

        /// A time from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Before the meal.
        public static let preprandial = Self(rawValue: 1)
        /// After the meal.
        public static let postprandial = Self(rawValue: 2)
        /// While fasting.
        public static let fasting = Self(rawValue: 3)
        /// Now and then.
        public static let casual = Self(rawValue: 4)
        /// At bedtime.
        public static let bedtime = Self(rawValue: 5)

        /// The times that have names.
        public static let assigned: [(Self, String)] = [
            (.preprandial, "Preprandial (before meal)"),
            (.postprandial, "Postprandial (after meal)"),
            (.fasting, "Fasting"),
            (.casual, "Casual (snacks, drinks, etc.)"),
            (.bedtime, "Bedtime"),
        ]
    }

    /// Who measured: four bits (GATT Specification Supplement, Glucose Measurement Context).
    public struct Tester: AssignedNumber {
        /// The number as it is sent.
        public let rawValue: UInt8

        /// A tester from the lowest 4 bits of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

        /// The user.
        public static let user = Self(rawValue: 1)
        /// A professional.
        public static let healthCareProfessional = Self(rawValue: 2)
        /// A laboratory.
        public static let laboratory = Self(rawValue: 3)
        /// It is not known.
        public static let notAvailable = Self(rawValue: 15)

        /// The testers that have names.
        public static let assigned: [(Self, String)] = [
            (.user, "Self"),
            (.healthCareProfessional, "Health Care Professional"),
            (.laboratory, "Lab Test"),
            (.notAvailable, "Not Available"),
        ]
    }

    /// How the user was: four bits (GATT Specification Supplement, Glucose Measurement Context).
    public struct Health: AssignedNumber {
        /// The number as it is sent.
        public let rawValue: UInt8

        /// A state from the lowest 4 bits of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

        /// A little ill.
        public static let minorIssues = Self(rawValue: 1)
        /// Ill.
        public static let majorIssues = Self(rawValue: 2)
        /// During menses.
        public static let duringMenses = Self(rawValue: 3)
        /// Under stress.
        public static let underStress = Self(rawValue: 4)
        /// Well.
        public static let noIssues = Self(rawValue: 5)
        /// It is not known.
        public static let notAvailable = Self(rawValue: 15)

        /// The states that have names.
        public static let assigned: [(Self, String)] = [
            (.minorIssues, "Minor Health Issues"),
            (.majorIssues, "Major Health Issues"),
            (.duringMenses, "During Menses"),
            (.underStress, "Under Stress"),
            (.noIssues, "No Health Issues"),
            (.notAvailable, "Not Available"),
        ]
    }

    /// Which medicine was taken (GATT Specification Supplement, Glucose Measurement Context).
    public struct MedicationID: AssignedNumber {
        /// The number as it is sent.
        public let rawValue: UInt8

        /// A medicine from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Rapid acting insulin.
        public static let rapidActingInsulin = Self(rawValue: 1)
        /// Short acting insulin.
        public static let shortActingInsulin = Self(rawValue: 2)
        /// Intermediate acting insulin.
        public static let intermediateActingInsulin = Self(rawValue: 3)
        /// Long acting insulin.
        public static let longActingInsulin = Self(rawValue: 4)
        /// Pre-mixed insulin.
        public static let premixedInsulin = Self(rawValue: 5)

        /// The medicines that have names.
        public static let assigned: [(Self, String)] = [
            (.rapidActingInsulin, "Rapid Acting Insulin"),
            (.shortActingInsulin, "Short Acting Insulin"),
            (.intermediateActingInsulin, "Intermediate Acting Insulin"),
            (.longActingInsulin, "Long Acting Insulin"),
            (.premixedInsulin, "Pre-mixed Insulin"),
        ]
    }
}
