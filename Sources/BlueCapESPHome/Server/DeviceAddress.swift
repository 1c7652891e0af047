// SPDX-License-Identifier: MIT

import BlueCapCore

/// The address of a device as clients of a proxy name it: 48 bits, the first octet highest.
struct DeviceAddress: Hashable {
    /// 0 is public, 1 random, as in the fields of messages.
    private static let (publicType, randomType): (UInt32, UInt32) = (0, 1)

    let number: UInt64

    /// That of a peripheral. A platform that hides addresses has one made of its identifier, always the same, of the
    /// kind that a device chooses by itself.
    init(_ identifier: PeerIdentifier) {
        number = identifier.address ?? 0xC0 << 40 | Self.hash(identifier.text) & 0x3FFF_FFFF_FFFF
    }

    /// The type that the first two bits tell. A platform does not say it: where a public address begins as a random one
    /// does, this is wrong, which no client minds, as connections are made by the address alone.
    var type: UInt32 { number >> 46 == 0b11 || number >> 46 == 0b01 ? Self.randomType : Self.publicType }

    /// A hash that is the same in each run (FNV-1a).
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
