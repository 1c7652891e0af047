// SPDX-License-Identifier: MIT

#if os(Linux)
/// Bytes at a place of an AD structure, by which a controller chooses the packets that it reports.
package struct AdvertisementPattern: Equatable {
    private static let maximumLength = 31

    /// The flags that nearly every connectable device sends: the controllers that compare patterns themselves report
    /// these devices, and all others report each packet.
    static let commonFlags = [0x06, 0x04, 0x05, 0x02, 0x1A, 0x1E, 0x18, 0x08].map { flags in
        AdvertisementPattern(type: 0x01, offset: 0, data: [flags])
    }

    /// The AD type of the structure (Assigned Numbers, 2.3).
    let type: UInt8
    let offset: UInt8
    let data: [UInt8]

    /// The pattern as a command has it.
    var bytes: [UInt8] {
        let data = data.prefix(Self.maximumLength)
        return [type, offset, UInt8(data.count)] + data
            + [UInt8](repeating: 0, count: Self.maximumLength - data.count)
    }
}
#endif
