// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The keys of the SensorTag (Texas Instruments' Simple Keys service).
    public enum KeyPressedService: ServiceConfigurable {
        /// FFE0, a 16-bit number that Texas Instruments uses without an assignment.
        public static let uuid: BluetoothUUID = "FFE0"
        /// The name of the service.
        public static let name = "Sensor Tag Key Pressed"
        /// The tag of the service.
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

        /// The UUID of the characteristic: FFE1.
        public static let uuid: BluetoothUUID = "FFE1"
        /// The name of the characteristic.
        public static let name = "Key Pressed"
        /// A central may be notified of the value, and not read it.
        public static let properties: CharacteristicProperties = [.notify]
        /// The value that a peripheral offers first: the first key.
        public static let initialValue: Bytes? = [1]

        /// "None", "Button One", "Button Two" or "Both Buttons".
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
