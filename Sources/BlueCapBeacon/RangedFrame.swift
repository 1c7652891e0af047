// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The fields of a beacon's frame that ranging uses, for any family.
struct RangedFrame {
    let family: Beacon.Family
    let uuid: BluetoothUUID
    let major: UInt16
    let minor: UInt16
    let measuredPower: Int8

    /// The frames of an advertisement: the iBeacon's if it belongs to the region, or without a region those of all
    /// families.
    static func frames(in advertisements: PeripheralAdvertisements, of region: BeaconRegion?) -> [RangedFrame] {
        let iBeacon = IBeacon(advertisements)
        if let region { return iBeacon.map { region.contains($0) ? [RangedFrame($0)] : [] } ?? [] }
        var frames = iBeacon.map { [RangedFrame($0)] } ?? []
        if let frame = AltBeacon(advertisements) { frames.append(RangedFrame(frame)) }
        if let frame = Eddystone(advertisements).flatMap(RangedFrame.init) { frames.append(frame) }
        return frames
    }

    private init(_ frame: IBeacon) {
        family = .iBeacon
        (uuid, major, minor) = (frame.proximityUUID, frame.major, frame.minor)
        measuredPower = frame.measuredPower
    }

    private init(_ frame: AltBeacon) {
        family = .altBeacon
        (uuid, major, minor) = (frame.identifier, frame.major, frame.minor)
        measuredPower = frame.measuredPower
    }

    /// Nil for frames without a beacon's identifier.
    private init?(_ frame: Eddystone) {
        guard case .uid(let power, let namespace, let instance) = frame else { return nil }
        let name = namespace + instance
        let uuid = try? name.withBytes { (span: RawSpan) throws(SerDeError) -> BluetoothUUID in
            var reader = ByteReader(span)
            return try reader.readBigEndianUUID()
        }
        guard let uuid else { return nil }
        family = .eddystoneUID
        self.uuid = uuid
        (major, minor) = (0, 0)
        measuredPower = Int8(clamping: Int(power) - 41)
    }
}
