// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Link Loss Service of the Bluetooth SIG: what the device does when the link breaks (Link Loss Service 1.0.1).
public enum LinkLossService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1803"
    public static let name = "Link Loss"
    public static let tag = BluetoothSIG.tag

    /// The alert that the device gives when the link breaks: one byte, 0 through 2; the other values are reserved and
    /// refused (Link Loss Service 1.0.1, 3.1; GATT Specification Supplement, Alert Level).
    public enum AlertLevel: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// No alert: the device stays silent.
        case noAlert = 0
        /// A mild alert.
        case mildAlert = 1
        /// A high alert.
        case highAlert = 2

        public static let uuid: BluetoothUUID = "2A06"
        public static let name = "Alert Level"
        public static let properties: CharacteristicProperties = [.read, .write]
        public static let initialValue: Bytes? = [0]

        public var choice: String {
            switch self {
            case .noAlert: "No Alert"
            case .mildAlert: "Mild Alert"
            case .highAlert: "High Alert"
            }
        }
    }
}
