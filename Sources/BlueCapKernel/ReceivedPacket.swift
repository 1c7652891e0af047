// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapSerDe

/// An advertising packet, as the kernel hands it on.
package struct ReceivedPacket: Sendable, Equatable {
    /// The sender's address as text, the highest octet first. A device whose private address the kernel can resolve
    /// has the address of its identity.
    package let address: String
    /// A Boolean value that is true if the address is random, and false if it is public.
    package let isRandom: Bool
    /// The signal strength in dBm; nil where it was not measured.
    package let rssi: Int?
    /// The AD structures, those of the scan response behind those of the advertisement.
    package let data: Bytes

    /// Reads the parameters of Device Found; nil where they are cut off, or of no device of Bluetooth Low Energy.
    init?(_ parameters: ArraySlice<UInt8>) {
        guard parameters.count >= 14 else { return nil }
        let bytes = Array(parameters)
        let length = Int(bytes[12]) | Int(bytes[13]) << 8
        guard bytes.count == 14 + length, bytes[6] == 1 || bytes[6] == 2 else { return nil }
        address = bytes[0..<6].reversed().map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + text : text
        }.joined(separator: ":")
        isRandom = bytes[6] == 2
        let strength = Int8(bitPattern: bytes[7])
        rssi = strength == 127 ? nil : Int(strength)
        data = Bytes(bytes[14...])
    }
}
#endif
