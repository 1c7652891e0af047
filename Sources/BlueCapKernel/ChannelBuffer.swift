// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapSerDe
import CBlueCapLinux

/// The room in which units of channels arrive, shared by the channels of a loop. Loop only.
package final class ChannelBuffer {
    /// The result of a look for units.
    enum Result: Equatable {
        /// This many units are here; fewer than there was room for when there are no more.
        case units(Int)
        /// The peer has closed the channel, and all of its units were taken.
        case ended
        case failed(errno: Int32)
    }

    /// How many units are received together.
    private static let batch = 16
    /// The number of bytes that are kept for them.
    private static let size = 65_536

    private var bytes: [UInt8] = []
    private var lengths = [Int32](repeating: 0, count: ChannelBuffer.batch)
    private var unitLength = 0

    package init() {}

    /// How many units of a length can be received together.
    static func capacity(for unitLength: Int) -> Int { min(max(size / max(unitLength, 1), 1), batch) }

    /// Takes units that have arrived at a socket, up to a count, without waiting. They are here until the next call.
    func receive(from descriptor: Int32, unitLength: Int, count: Int) -> Result {
        let room = min(count, Self.capacity(for: unitLength))
        self.unitLength = unitLength
        if bytes.count < room * unitLength {
            bytes = [UInt8](repeating: 0, count: max(room * unitLength, Self.size))
        }
        let number = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            unsafe lengths.withUnsafeMutableBufferPointer { lengths in
                unsafe bluecap_receive_packets(
                    descriptor, bytes.baseAddress, Int32(unitLength), Int32(room), lengths.baseAddress)
            }
        }
        if number < 0 { return .failed(errno: -number) }
        // The end reads as units without bytes behind the last one.
        var units = Int(number)
        while units > 0, lengths[units - 1] == BLUECAP_ENDED { units -= 1 }
        return units == 0 && number > 0 ? .ended : .units(units)
    }

    /// A unit of the last call; nil for one that was longer than agreed, and is cut.
    func unit(_ index: Int) -> Bytes? {
        guard lengths[index] >= 0 else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            let start = index * unitLength
            return unsafe Bytes(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(lengths[index])]))
        }
    }
}
#endif
