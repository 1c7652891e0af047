// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Current Time Service of the Bluetooth SIG: what time it is, where, and how well that is known.
public enum CurrentTimeService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1805"
    public static let name = "Current Time"
    public static let tag = BluetoothSIG.tag

    /// The local time to 1/256 second, and why it was set: ten bytes (Current Time Service 1.1, 3.1; GATT Specification
    /// Supplement, Current Time).
    public struct CurrentTime: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A2B"
        public static let name = "Current Time"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readable

        /// The date and the time of day, with daylight saving.
        public var dateTime: DateTime
        /// The day of the week.
        public var dayOfWeek: DayOfWeek
        /// The part of a second that has passed, in 1/256 second.
        public var fraction: Scaled<UInt8, Per256>
        /// The reasons for which the clock was adjusted since the last notification.
        public var adjustReason: AdjustReason

        /// Midnight of an unknown day, without a reason.
        public init() { self.init(dateTime: DateTime()) }

        /// Creates a time.
        ///
        /// - Parameters:
        ///   - dateTime: The date and the time of day, with daylight saving.
        ///   - dayOfWeek: The day of the week.
        ///   - fraction: The part of a second that has passed, in 1/256 second.
        ///   - adjustReason: The reasons for which the clock was adjusted since the last notification.
        public init(
            dateTime: DateTime, dayOfWeek: DayOfWeek = .unknown,
            fraction: Scaled<UInt8, Per256> = Scaled(rawValue: 0), adjustReason: AdjustReason = []
        ) {
            (self.dateTime, self.dayOfWeek) = (dateTime, dayOfWeek)
            (self.fraction, self.adjustReason) = (fraction, adjustReason)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            dateTime = try reader.read()
            dayOfWeek = DayOfWeek(rawValue: try reader.read())
            fraction = try reader.read()
            adjustReason = AdjustReason(rawValue: try reader.read())
        }

        public var encodedByteCount: Int { 10 }

        public func encode(into output: inout OutputRawSpan) {
            dateTime.encode(into: &output)
            output.write(dayOfWeek.rawValue)
            fraction.encode(into: &output)
            output.write(adjustReason.rawValue)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("dateTime", \.dateTime), TextField(choice: "dayOfWeek", \.dayOfWeek),
            TextField("fraction", unit: "s", \.fraction), TextField("adjustReason", \.adjustReason),
        ]
        #endif
    }

    /// A day of the week (GATT Specification Supplement, Day of Week).
    public struct DayOfWeek: AssignedNumber {
        /// The number as it is sent: 1 for Monday through 7 for Sunday.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The value is not known.
        public static let unknown = Self(rawValue: 0)
        /// The day of the week is Monday.
        public static let monday = Self(rawValue: 1)
        /// The day of the week is Tuesday.
        public static let tuesday = Self(rawValue: 2)
        /// The day of the week is Wednesday.
        public static let wednesday = Self(rawValue: 3)
        /// The day of the week is Thursday.
        public static let thursday = Self(rawValue: 4)
        /// The day of the week is Friday.
        public static let friday = Self(rawValue: 5)
        /// The day of the week is Saturday.
        public static let saturday = Self(rawValue: 6)
        /// The day of the week is Sunday.
        public static let sunday = Self(rawValue: 7)

        public static let assigned: [(Self, String)] = [
            (.unknown, "Unknown"), (.monday, "Monday"), (.tuesday, "Tuesday"), (.wednesday, "Wednesday"),
            (.thursday, "Thursday"), (.friday, "Friday"), (.saturday, "Saturday"), (.sunday, "Sunday"),
        ]
    }

    /// The reasons for which a clock is adjusted.
    public struct AdjustReason: NamedFlags {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The time was set by hand.
        public static let manual = Self(rawValue: 1 << 0)
        /// The time was set from a reference outside.
        public static let externalReference = Self(rawValue: 1 << 1)
        /// The time zone changed.
        public static let timeZoneChange = Self(rawValue: 1 << 2)
        /// Daylight saving began or ended.
        public static let daylightSavingChange = Self(rawValue: 1 << 3)

        public static let flagNames: [(Self, String)] = [
            (.manual, "Manual Time Update"), (.externalReference, "External Reference Time Update"),
            (.timeZoneChange, "Change of Time Zone"), (.daylightSavingChange, "Change of DST"),
        ]
    }
}
