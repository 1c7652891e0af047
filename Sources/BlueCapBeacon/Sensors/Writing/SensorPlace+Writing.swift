// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension SensorPlace {
    /// All integers that there is room for.
    var integers: ClosedRange<Int64> {
        if let bits { return 0...(1 << Int64(bits.count) - 1) }
        let half = Int64(1) << Int64(8 * byteCount - 1)
        return isSigned ? -half...half - 1 : 0...(half - 1) * 2 + 1
    }

    /// Writes an integer; false where there is no room for it.
    @discardableResult
    func put(_ integer: Int64, _ frame: inout Bytes) -> Bool {
        guard integers.contains(integer) else { return false }
        let (first, count) = (bits?.lowerBound ?? 0, bits?.count ?? 8 * byteCount)
        for bit in 0..<count {
            let (index, mask) = ((first + bit) / 8, UInt8(1) << UInt8((first + bit) % 8))
            let place = offset + (isBigEndian ? byteCount - 1 - index : index)
            if integer >> Int64(bit) & 1 == 1 { frame[place] |= mask } else { frame[place] &= ~mask }
        }
        return true
    }
}

extension SensorPattern {
    /// Has a frame fit.
    func stamp(_ frame: inout Bytes) {
        for index in bytes.indices { frame[offset + index] = frame[offset + index] & ~mask[index] | bytes[index] }
    }

    /// Has a frame not fit.
    func unfit(_ frame: inout Bytes) {
        guard fits(frame), let index = mask.firstIndex(where: { $0 != 0 }) else { return }
        frame[offset + index] ^= mask[index] & ~(mask[index] - 1)
    }
}

extension SensorFormat.Check {
    func stamp(_ frame: inout Bytes) { frame[offset] = sum(of: frame) }
}
