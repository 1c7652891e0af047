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

    /// The type for a message.
    ///
    /// - Parameter isRandom: What the platform says; nil where it does not, as on Apple's platforms. Then the first two
    ///   bits decide: a public address may begin as a random one does, and a random one that cannot be resolved as a
    ///   public one, which no client minds, as connections are made by the address alone.
    func type(isRandom: Bool?) -> UInt32 {
        isRandom ?? (number >> 46 == 0b11 || number >> 46 == 0b01) ? Self.randomType : Self.publicType
    }

    /// A hash that is the same in each run (FNV-1a).
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
