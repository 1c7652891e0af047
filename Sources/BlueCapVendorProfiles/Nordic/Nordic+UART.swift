// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Nordic {
    /// Nordic Semiconductor's UART service: bytes in both directions, without frames or flow control (nRF Connect SDK,
    /// Nordic UART Service).
    ///
    /// One write or notification carries at most the connection's ATT MTU less 3 bytes; what is longer is cut by the
    /// sender and put together again by the receiver's own rules.
    public enum UARTService: ServiceConfigurable {
        public static let uuid = assigned(0x0001)
        public static let name = "Nordic UART"
        public static let tag = Nordic.tag

        /// The 128-bit UUID for a 16-bit number on the service's base UUID.
        private static func assigned(_ number: UInt16) -> BluetoothUUID {
            BluetoothUUID(high: 0x6e40_0000_b5a3_f393 | UInt64(number) << 32, low: 0xe0a9_e50e_24dc_ca9e)
        }

        /// Bytes from the central to the peripheral, which receives them.
        public struct RX: NordicUARTBytes {
            public static let uuid = Nordic.UARTService.assigned(0x0002)
            public static let name = "UART RX"
            public static let properties: CharacteristicProperties = [.write, .writeWithoutResponse]
            public static let permissions: AttributePermissions = .writeable

            public let rawValue: Bytes

            public init(rawValue: Bytes) { self.rawValue = rawValue }
        }

        /// Bytes from the peripheral, which transmits them, to the central.
        public struct TX: NordicUARTBytes {
            public static let uuid = Nordic.UARTService.assigned(0x0003)
            public static let name = "UART TX"
            public static let properties: CharacteristicProperties = .notify
            public static let permissions: AttributePermissions = []

            public let rawValue: Bytes

            public init(rawValue: Bytes) { self.rawValue = rawValue }
        }
    }
}
