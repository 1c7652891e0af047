// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Immediate Alert Service of the Bluetooth SIG: a write makes the device call attention to itself at once
/// (Immediate Alert Service 1.0).
public enum ImmediateAlertService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1802"
    public static let name = "Immediate Alert"
    public static let tag = BluetoothSIG.tag

    /// The alert to give now: one byte, 0 through 2; the other values are reserved and refused (Immediate Alert Service
    /// 1.0, 3.1; GATT Specification Supplement, Alert Level).
    public enum AlertLevel: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// No alert: the device stays silent.
        case noAlert = 0
        /// A mild alert.
        case mildAlert = 1
        /// A high alert.
        case highAlert = 2

        public static let uuid: BluetoothUUID = "2A06"
        public static let name = "Alert Level"
        public static let properties: CharacteristicProperties = [.writeWithoutResponse]
        public static let permissions: AttributePermissions = [.writeable]

        public var choice: String {
            switch self {
            case .noAlert: "No Alert"
            case .mildAlert: "Mild Alert"
            case .highAlert: "High Alert"
            }
        }
    }
}
