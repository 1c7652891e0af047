// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The measurements of a machine of the ``FitnessMachineService``: a value led by flags that say which fields follow.
///
/// Flags without a meaning yet, and bytes behind the last field, are passed over, so that later revisions stay
/// readable.
public protocol FitnessMachineMeasurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
    /// The fields about the person and the time, which all machines send.
    var workout: FitnessMachineService.Workout { get set }
}

extension FitnessMachineMeasurement {
    /// A central may be notified of the value.
    public static var properties: CharacteristicProperties { .notify }

    /// No central may read or write the value.
    public static var permissions: AttributePermissions { [] }

    /// Bytes of later revisions are left unread.
    public static var surplusBytes: SurplusBytes { .ignore }

    #if !hasFeature(Embedded)
    /// The texts of the workout: `totalEnergy`, `energyPerHour`, `energyPerMinute`, `heartRate`, `metabolicEquivalent`,
    /// `elapsedTime` and `remainingTime`. An energy that is not available is "unknown".
    static var workoutFields: [TextField<Self>] {
        let none = FitnessMachineService.ExpendedEnergy(total: .max)
        return [
            TextField("totalEnergy", unit: "kcal", \.workout.energy, \.total, initial: none, unknown: .max),
            TextField("energyPerHour", unit: "kcal/h", \.workout.energy, \.perHour, initial: none, unknown: .max),
            TextField(
                "energyPerMinute", unit: "kcal/min", \.workout.energy, \.perMinute, initial: none, unknown: .max),
            TextField("heartRate", unit: "bpm", \.workout.heartRate),
            TextField("metabolicEquivalent", \.workout.metabolicEquivalent),
            TextField("elapsedTime", unit: "s", \.workout.elapsedTime),
            TextField("remainingTime", unit: "s", \.workout.remainingTime),
        ]
    }
    #endif
}
