// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension GlucoseService {
    /// The meal at which carbohydrates were eaten (GATT Specification Supplement, Glucose Measurement Context).
    public struct CarbohydrateID: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Carbohydrates of a breakfast.
        public static let breakfast = Self(rawValue: 1)
        /// Carbohydrates of a lunch.
        public static let lunch = Self(rawValue: 2)
        /// Carbohydrates of a dinner.
        public static let dinner = Self(rawValue: 3)
        /// Carbohydrates of a snack.
        public static let snack = Self(rawValue: 4)
        /// Carbohydrates of a drink.
        public static let drink = Self(rawValue: 5)
        /// Carbohydrates of a supper.
        public static let supper = Self(rawValue: 6)
        /// Carbohydrates of a brunch.
        public static let brunch = Self(rawValue: 7)

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

    /// The time of carbohydrates in relation to a meal (GATT Specification Supplement, Glucose Measurement Context).
    public struct Meal: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Before the meal.
        public static let preprandial = Self(rawValue: 1)
        /// After the meal.
        public static let postprandial = Self(rawValue: 2)
        /// While the user fasts.
        public static let fasting = Self(rawValue: 3)
        /// Between meals, with snacks or drinks.
        public static let casual = Self(rawValue: 4)
        /// Before the user goes to bed.
        public static let bedtime = Self(rawValue: 5)

        public static let assigned: [(Self, String)] = [
            (.preprandial, "Preprandial (before meal)"),
            (.postprandial, "Postprandial (after meal)"),
            (.fasting, "Fasting"),
            (.casual, "Casual (snacks, drinks, etc.)"),
            (.bedtime, "Bedtime"),
        ]
    }

    /// The tester: four bits (GATT Specification Supplement, Glucose Measurement Context).
    public struct Tester: AssignedNumber {
        public let rawValue: UInt8

        /// Creates a tester from the lowest 4 bits of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

        /// The user measured.
        public static let user = Self(rawValue: 1)
        /// A health care professional measured.
        public static let healthCareProfessional = Self(rawValue: 2)
        /// A laboratory measured the sample.
        public static let laboratory = Self(rawValue: 3)
        /// The value is not known.
        public static let notAvailable = Self(rawValue: 15)

        public static let assigned: [(Self, String)] = [
            (.user, "Self"),
            (.healthCareProfessional, "Health Care Professional"),
            (.laboratory, "Lab Test"),
            (.notAvailable, "Not Available"),
        ]
    }

    /// The health of the user: four bits (GATT Specification Supplement, Glucose Measurement Context).
    public struct Health: AssignedNumber {
        public let rawValue: UInt8

        /// Creates a state from the lowest 4 bits of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

        /// The user had minor health issues.
        public static let minorIssues = Self(rawValue: 1)
        /// The user had major health issues.
        public static let majorIssues = Self(rawValue: 2)
        /// The user was in her menses.
        public static let duringMenses = Self(rawValue: 3)
        /// The user was under stress.
        public static let underStress = Self(rawValue: 4)
        /// The user had no health issues.
        public static let noIssues = Self(rawValue: 5)
        /// The value is not known.
        public static let notAvailable = Self(rawValue: 15)

        public static let assigned: [(Self, String)] = [
            (.minorIssues, "Minor Health Issues"),
            (.majorIssues, "Major Health Issues"),
            (.duringMenses, "During Menses"),
            (.underStress, "Under Stress"),
            (.noIssues, "No Health Issues"),
            (.notAvailable, "Not Available"),
        ]
    }

    /// The medicine that was taken (GATT Specification Supplement, Glucose Measurement Context).
    public struct MedicationID: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Rapid acting insulin.
        public static let rapidActingInsulin = Self(rawValue: 1)
        /// Short acting insulin.
        public static let shortActingInsulin = Self(rawValue: 2)
        /// Intermediate acting insulin.
        public static let intermediateActingInsulin = Self(rawValue: 3)
        /// Long acting insulin.
        public static let longActingInsulin = Self(rawValue: 4)
        /// Insulin that is pre-mixed.
        public static let premixedInsulin = Self(rawValue: 5)

        public static let assigned: [(Self, String)] = [
            (.rapidActingInsulin, "Rapid Acting Insulin"),
            (.shortActingInsulin, "Short Acting Insulin"),
            (.intermediateActingInsulin, "Intermediate Acting Insulin"),
            (.longActingInsulin, "Long Acting Insulin"),
            (.premixedInsulin, "Pre-mixed Insulin"),
        ]
    }
}
