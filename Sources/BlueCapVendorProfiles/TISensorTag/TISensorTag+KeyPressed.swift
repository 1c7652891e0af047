// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The keys of the SensorTag (Texas Instruments' Simple Keys service).
    public enum KeyPressedService: ServiceConfigurable {
        /// FFE0, a 16-bit number that Texas Instruments uses without an assignment.
        public static let uuid: BluetoothUUID = "FFE0"
        public static let name = "Sensor Tag Key Pressed"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.KeyPressedService {
    /// The keys that are pressed: one byte with a bit for each key (CC2541 SensorTag user guide, Simple Keys).
    public enum Data: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// No key is pressed.
        case none = 0
        /// The first key.
        case buttonOne = 1
        /// The second key.
        case buttonTwo = 2
        /// Both keys at once.
        case bothButtons = 3

        public static let uuid: BluetoothUUID = "FFE1"
        public static let name = "Key Pressed"
        public static let properties: CharacteristicProperties = [.notify]
        public static let initialValue: Bytes? = [1]

        public var choice: String {
            switch self {
            case .none: "None"
            case .buttonOne: "Button One"
            case .buttonTwo: "Button Two"
            case .bothButtons: "Both Buttons"
            }
        }
    }
}
