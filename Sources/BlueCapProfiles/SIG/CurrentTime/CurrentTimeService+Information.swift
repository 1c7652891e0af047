// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CurrentTimeService {
    /// Information on the local time: time zone and daylight saving, two bytes (Current Time Service 1.1, 3.2; GATT
    /// Specification Supplement, Local Time Information).
    public struct LocalTimeInformation: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A0F"
        public static let name = "Local Time Information"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0x80, 0xff]

        /// The offset of the time zone from UTC in winter in quarters of an hour, −48 through 56; −128 for unknown.
        public var timeZone: Int8
        /// The offset that daylight saving adds.
        public var daylightSaving: DaylightSaving

        /// Both not known.
        public init() { self.init(timeZone: -128, daylightSaving: .unknown) }

        /// Creates information on the local time.
        ///
        /// - Parameters:
        ///   - timeZone: The offset from UTC in winter in quarters of an hour, −48 to 56; −128 for unknown.
        ///   - daylightSaving: The offset that daylight saving adds.
        public init(timeZone: Int8, daylightSaving: DaylightSaving) {
            (self.timeZone, self.daylightSaving) = (timeZone, daylightSaving)
        }

        /// The offset of the local time from UTC in minutes; nil when it is unknown or reserved.
        public var minutesFromUTC: Int? {
            guard (-48...56).contains(timeZone), let minutes = daylightSaving.minutes else { return nil }
            return Int(timeZone) * 15 + minutes
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            timeZone = try reader.read()
            daylightSaving = DaylightSaving(rawValue: try reader.read())
        }

        public var encodedByteCount: Int { 2 }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: timeZone, daylightSaving.rawValue) }

        #if !hasFeature(Embedded)
        /// `timeZone` (quarters of an hour, or "unknown") and `daylightSaving`.
        public static let textFields: [TextField<Self>] = [
            TextField("timeZone", \.timeZone, unknown: .min), TextField(choice: "daylightSaving", \.daylightSaving),
        ]
        #endif
    }

    /// The offset that daylight saving adds to the time (GATT Specification Supplement, DST Offset).
    public struct DaylightSaving: AssignedNumber {
        /// The number as it is sent, in quarters of an hour.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Standard time: daylight saving adds nothing.
        public static let standardTime = Self(rawValue: 0)
        /// Daylight saving adds half an hour.
        public static let halfAnHour = Self(rawValue: 2)
        /// Daylight saving adds an hour.
        public static let oneHour = Self(rawValue: 4)
        /// Daylight saving adds two hours.
        public static let twoHours = Self(rawValue: 8)
        /// The value is not known.
        public static let unknown = Self(rawValue: 255)

        /// Minutes; nil when they are not known or the number is reserved.
        public var minutes: Int? { [0, 2, 4, 8].contains(rawValue) ? Int(rawValue) * 15 : nil }

        public static let assigned: [(Self, String)] = [
            (.standardTime, "Standard Time"), (.halfAnHour, "Half an Hour Daylight Time"), (.oneHour, "Daylight Time"),
            (.twoHours, "Double Daylight Time"), (.unknown, "Unknown"),
        ]
    }

    /// The quality of the time: four bytes (Current Time Service 1.1, 3.3; GATT Specification Supplement, Reference
    /// Time Information).
    public struct ReferenceTimeInformation: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A14"
        public static let name = "Reference Time Information"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0, 255, 255, 255]

        /// The source of the time.
        public var source: Source
        /// The greatest error of the time in 1/8 second: 254 says more than 31.625 s, and 255 that it is not known.
        public var accuracy: UInt8
        /// Days since the time was taken from the source; 255 stands for that and more.
        public var daysSinceUpdate: UInt8
        /// Hours beside the days, 0 through 23; 255 when the days are 255.
        public var hoursSinceUpdate: UInt8

        /// Nothing is known.
        public init() { self.init(source: .unknown) }

        /// Creates information on how well the time is known. Parameters that you omit are sent as unknown.
        ///
        /// - Parameters:
        ///   - source: The source of the time.
        ///   - accuracy: The greatest error of the time in 1/8 second; 254 for more than 31.625 s, 255 for unknown.
        ///   - daysSinceUpdate: The days since the time was taken from the source; 255 for that and more.
        ///   - hoursSinceUpdate: The hours beside the days, 0 to 23; 255 when the days are 255.
        public init(
            source: Source, accuracy: UInt8 = 255, daysSinceUpdate: UInt8 = 255, hoursSinceUpdate: UInt8 = 255
        ) {
            (self.source, self.accuracy) = (source, accuracy)
            (self.daysSinceUpdate, self.hoursSinceUpdate) = (daysSinceUpdate, hoursSinceUpdate)
        }

        /// The greatest error of the time in seconds; nil when that is not known or more than can be said.
        public var accuracySeconds: Double? { accuracy < 254 ? Double(accuracy) / 8 : nil }

        /// Hours since the time was taken from the source; nil when it was 255 days ago or more.
        public var hoursSinceUpdateInAll: Int? {
            daysSinceUpdate < 255 && hoursSinceUpdate < 24 ? Int(daysSinceUpdate) * 24 + Int(hoursSinceUpdate) : nil
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            source = Source(rawValue: try reader.read())
            accuracy = try reader.read()
            daysSinceUpdate = try reader.read()
            hoursSinceUpdate = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: source.rawValue, accuracy, daysSinceUpdate, hoursSinceUpdate)
        }

        #if !hasFeature(Embedded)
        /// `source`, `accuracy` (1/8 s, "out of range" or "unknown"), `daysSinceUpdate` (or "255 or more") and
        /// `hoursSinceUpdate` (or "unknown").
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "source", \.source),
            TextField("accuracy", \.accuracy, words: [(254, "out of range"), (255, UnknownText.text)]),
            TextField("daysSinceUpdate", unit: "d", \.daysSinceUpdate, words: [(255, "255 or more")]),
            TextField("hoursSinceUpdate", unit: "h", \.hoursSinceUpdate, unknown: .max),
        ]
        #endif

        /// The source of a time (GATT Specification Supplement, Time Source).
        public struct Source: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The value is not known.
            public static let unknown = Self(rawValue: 0)
            /// The Network Time Protocol.
            public static let networkTimeProtocol = Self(rawValue: 1)
            /// A satellite navigation system (GPS).
            public static let gps = Self(rawValue: 2)
            /// A time signal by radio.
            public static let radioTimeSignal = Self(rawValue: 3)
            /// Set by hand.
            public static let manual = Self(rawValue: 4)
            /// An atomic clock.
            public static let atomicClock = Self(rawValue: 5)
            /// A cellular network.
            public static let cellularNetwork = Self(rawValue: 6)

            public static let assigned: [(Self, String)] = [
                (.unknown, "Unknown"), (.networkTimeProtocol, "Network Time Protocol"), (.gps, "GPS"),
                (.radioTimeSignal, "Radio Time Signal"), (.manual, "Manual"), (.atomicClock, "Atomic Clock"),
                (.cellularNetwork, "Cellular Network"),
            ]
        }
    }
}
