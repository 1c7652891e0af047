// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Nordic {
    /// Nordic Semiconductor's UART service: bytes in both directions, without frames or flow control (nRF Connect SDK,
    /// Nordic UART Service).
    ///
    /// One write or notification carries at most the connection's ATT MTU less 3 bytes; what is longer is cut by the
    /// sender and put together again by the receiver's own rules.
    public enum UARTService: ServiceConfigurable {
        /// The UUID of the service: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E.
        public static let uuid = assigned(0x0001)
        /// The name of the service.
        public static let name = "Nordic UART"
        /// The tag of the service.
        public static let tag = Nordic.tag

        /// The 128-bit UUID for a 16-bit number on the service's base UUID.
        private static func assigned(_ number: UInt16) -> BluetoothUUID {
            BluetoothUUID(high: 0x6e40_0000_b5a3_f393 | UInt64(number) << 32, low: 0xe0a9_e50e_24dc_ca9e)
        }

        /// Bytes from the central to the peripheral, which receives them.
        public struct RX: NordicUARTBytes {
            /// The UUID of the attribute: 6E400002-B5A3-F393-E0A9-E50E24DCCA9E.
            public static let uuid = Nordic.UARTService.assigned(0x0002)
            /// The name of the characteristic.
            public static let name = "UART RX"
            /// Write, with and without response.
            public static let properties: CharacteristicProperties = [.write, .writeWithoutResponse]
            /// Only to be written.
            public static let permissions: AttributePermissions = .writeable

            /// The bytes as they are sent.
            public let rawValue: Bytes

            /// Creates a value of any bytes.
            public init(rawValue: Bytes) { self.rawValue = rawValue }
        }

        /// Bytes from the peripheral, which transmits them, to the central.
        public struct TX: NordicUARTBytes {
            /// The UUID of the attribute: 6E400003-B5A3-F393-E0A9-E50E24DCCA9E.
            public static let uuid = Nordic.UARTService.assigned(0x0003)
            /// The name of the characteristic.
            public static let name = "UART TX"
            /// A central may be notified of the value.
            public static let properties: CharacteristicProperties = .notify
            /// No central may read or write the value.
            public static let permissions: AttributePermissions = []

            /// The bytes as they are sent.
            public let rawValue: Bytes

            /// Creates a value of any bytes.
            public init(rawValue: Bytes) { self.rawValue = rawValue }
        }
    }
}
