// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The present activity of the person: a byte of flags, the status, and a text when the machine has one (Fitness
    /// Machine Service 1.0, 4.10).
    public struct TrainingStatus: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2AD3"
        public static let name = "Training Status"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0, 1]
        /// Bytes behind a value without a text are left unread.
        public static let surplusBytes = SurplusBytes.ignore

        /// The present activity of the person.
        public var activity: Activity
        /// The text that the machine shows for it.
        public var text: String?
        /// A Boolean value that is true if the text is longer than the notification and has to be read.
        public var isExtended: Bool

        /// Creates the status of an idle machine.
        public init() { self.init(.idle) }

        /// Creates a status.
        ///
        /// - Parameters:
        ///   - activity: The present activity of the person.
        ///   - text: The text that the machine shows for it.
        ///   - isExtended: A Boolean value that is true if the text is longer than the notification and has to be read.
        public init(_ activity: Activity, text: String? = nil, isExtended: Bool = false) {
            (self.activity, self.text, self.isExtended) = (activity, text, isExtended)
        }

        /// Reads two bytes, and the rest as UTF-8 when the flags announce a text.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt8.self)
            activity = Activity(rawValue: try reader.read())
            text = flags.bit(0) ? try reader.read() : nil
            isExtended = flags.bit(1)
        }

        public var encodedByteCount: Int { 2 + text.fieldByteCount }

        public func encode(into output: inout OutputRawSpan) {
            output.write(UInt8(text == nil ? 0 : 1) | (isExtended ? 2 : 0))
            output.write(activity.rawValue)
            text.encodeField(into: &output)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "activity", \.activity), TextField("text", \.text),
            TextField("isExtended", \.isExtended),
        ]
        #endif

        /// The activity of a person in a workout.
        public struct Activity: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// An activity that has no number of its own.
            public static let other = Self(rawValue: 0)
            /// The machine is idle.
            public static let idle = Self(rawValue: 1)
            /// Warming up before exercise.
            public static let warmingUp = Self(rawValue: 2)
            /// An interval of low intensity.
            public static let lowIntensityInterval = Self(rawValue: 3)
            /// An interval of high intensity.
            public static let highIntensityInterval = Self(rawValue: 4)
            /// An interval to recover.
            public static let recoveryInterval = Self(rawValue: 5)
            /// Isometric exercise of the muscles.
            public static let isometric = Self(rawValue: 6)
            /// Controlled by heart rate.
            public static let heartRateControl = Self(rawValue: 7)
            /// A test of fitness.
            public static let fitnessTest = Self(rawValue: 8)
            /// Slower than the region of control.
            public static let speedBelowControlRegion = Self(rawValue: 9)
            /// Faster than the region of control.
            public static let speedAboveControlRegion = Self(rawValue: 10)
            /// Cooling down after exercise.
            public static let coolDown = Self(rawValue: 11)
            /// Controlled by power.
            public static let wattControl = Self(rawValue: 12)
            /// Controlled by hand.
            public static let manualMode = Self(rawValue: 13)
            /// Before the workout.
            public static let preWorkout = Self(rawValue: 14)
            /// After the workout.
            public static let postWorkout = Self(rawValue: 15)

            public static let assigned: [(Self, String)] = [
                (.other, "Other"), (.idle, "Idle"), (.warmingUp, "Warming Up"),
                (.lowIntensityInterval, "Low Intensity Interval"), (.highIntensityInterval, "High Intensity Interval"),
                (.recoveryInterval, "Recovery Interval"), (.isometric, "Isometric"),
                (.heartRateControl, "Heart Rate Control"), (.fitnessTest, "Fitness Test"),
                (.speedBelowControlRegion, "Speed Outside of Control Region - Low"),
                (.speedAboveControlRegion, "Speed Outside of Control Region - High"), (.coolDown, "Cool Down"),
                (.wattControl, "Watt Control"), (.manualMode, "Manual Mode"), (.preWorkout, "Pre-Workout"),
                (.postWorkout, "Post-Workout"),
            ]
        }
    }
}
