// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Environmental Sensing Service of the Bluetooth SIG: weather, air and magnetism, one characteristic for each.
///
/// A device offers those that it measures, and may offer one several times: ``MeasurementDescriptor`` then tells them
/// apart.
public enum EnvironmentalSensingService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "181A"
    public static let name = "Environmental Sensing"
    public static let tag = BluetoothSIG.tag

    /// The trend of the air's pressure in the last three hours: one byte (GATT Specification Supplement, Barometric
    /// Pressure Trend). The values from 10 on are reserved and refused.
    public enum BarometricPressureTrend: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// The value is not known.
        case unknown = 0
        /// Falling all the time.
        case continuouslyFalling = 1
        /// Rising all the time.
        case continuouslyRising = 2
        /// Falling, then steady.
        case fallingThenSteady = 3
        /// Rising, then steady.
        case risingThenSteady = 4
        /// Falling before it rose by less.
        case fallingBeforeLesserRise = 5
        /// Falling before it rose by more.
        case fallingBeforeGreaterRise = 6
        /// Rising before it fell by more.
        case risingBeforeGreaterFall = 7
        /// Rising before it fell by less.
        case risingBeforeLesserFall = 8
        /// The pressure is steady.
        case steady = 9

        public static let uuid: BluetoothUUID = "2AA3"
        public static let name = "Barometric Pressure Trend"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0]

        public var choice: String {
            switch self {
            case .unknown: "Unknown"
            case .continuouslyFalling: "Continuously falling"
            case .continuouslyRising: "Continuously rising"
            case .fallingThenSteady: "Falling, then steady"
            case .risingThenSteady: "Rising, then steady"
            case .fallingBeforeLesserRise: "Falling before a lesser rise"
            case .fallingBeforeGreaterRise: "Falling before a greater rise"
            case .risingBeforeGreaterFall: "Rising before a greater fall"
            case .risingBeforeLesserFall: "Rising before a lesser fall"
            case .steady: "Steady"
            }
        }
    }
}
