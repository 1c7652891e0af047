// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A device address as it stands in packets.
struct DeviceAddress: Sendable, Hashable {
    /// Most significant octet first.
    var octets: [UInt8]
    var isRandom: Bool

    /// An address from its little-endian bytes and a type of HCI: 0 and 2 public, 1 and 3 random.
    init(_ bytes: ArraySlice<UInt8>, type: UInt8) {
        octets = Array(bytes.reversed())
        isRandom = type & 1 == 1
    }

    /// `"C0:DE:00:00:00:01"`; nil where it is not six octets, which only a damaged description gives.
    init?(text: String, isRandom: Bool) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        octets = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        self.isRandom = isRandom
        guard parts.count == 6, octets.count == 6 else { return nil }
    }

    var isZero: Bool { octets.allSatisfy { $0 == 0 } }

    var littleEndianBytes: [UInt8] { octets.reversed() }

    var text: String {
        octets.map { octet in
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    var identifier: PeerIdentifier { PeerIdentifier(text) }
}

extension ByteCursor {
    mutating func typedAddress() -> DeviceAddress? {
        guard let type = byte(), let bytes = take(6) else { return nil }
        return DeviceAddress(bytes, type: type)
    }
}
