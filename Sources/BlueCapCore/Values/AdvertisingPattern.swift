// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Bytes at a place in an AD structure of one type, for which a passive scan looks.
public struct AdvertisingPattern: Sendable, Hashable {
    /// The AD type of the structure (Assigned Numbers, 2.3).
    public var type: UInt8
    /// The bytes that stand there, 1 to 31.
    public var content: Bytes
    /// The place of the first of them, counted from 0 behind the type; the last one is before 31.
    public var start: Int

    /// Creates a pattern. ``CentralManager/scan(for:options:timeout:capacity:)`` looks at its bounds.
    ///
    /// - Parameters:
    ///   - type: The AD type of the structure (Assigned Numbers, 2.3).
    ///   - content: The bytes that stand there.
    ///   - start: The place of the first of them behind the type.
    public init(type: UInt8, content: Bytes, start: Int = 0) {
        self.type = type
        self.content = content
        self.start = start
    }

    /// The usual flags of devices that advertise (AD type 1; Core Specification Supplement, part A, 1.3), for LE alone
    /// and for both radios: with these patterns a passive scan hears most devices, and none with other flags or without
    /// flags.
    public static let usualFlags: [AdvertisingPattern] = {
        let flags: [UInt8] = [0x06, 0x05, 0x04, 0x02, 0x1A, 0x18, 0x00]
        return flags.map { AdvertisingPattern(type: 0x01, content: [$0]) }
    }()

    /// The most bytes of an AD structure that a pattern reaches.
    static let reach = 31

    var isInBounds: Bool {
        (1...Self.reach).contains(content.count) && (0..<Self.reach).contains(start)
            && start + content.count <= Self.reach
    }

    func matches(_ structure: ADStructure) -> Bool {
        structure.type == type && structure.data.count >= start + content.count
            && structure.data.dropFirst(start).prefix(content.count).elementsEqual(content)
    }
}

extension [AdvertisingPattern] {
    /// Whether one of the patterns is in a packet. Of fields without their structures those are made as a device would
    /// send them.
    func match(_ advertisements: PeripheralAdvertisements) -> Bool {
        let structures = advertisements.structures
        return contains { pattern in structures.contains(where: pattern.matches) }
            || PeripheralAdvertisements(packets: [Bytes(advertisements.packet)]).structures.contains { structure in
                contains { $0.matches(structure) }
            }
    }
}
