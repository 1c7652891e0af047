// SPDX-License-Identifier: MIT

import BlueCapSerDe
import CBaseline
import Foundation

/// The same eight values in every form that is decoded.
struct Inputs {
    let baseline: UnsafePointer<BaselineInput>
    let bytes: UnsafePointer<Bytes>
    let data: UnsafePointer<Data>
    let arrays: UnsafePointer<[UInt8]>

    init(_ values: [[UInt8]]) {
        precondition(values.count == 8)
        baseline = eight { index in
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
            copy.initialize(repeating: 0, count: 512)
            copy.update(from: values[index], count: values[index].count)
            return BaselineInput(bytes: copy, count: values[index].count)
        }
        bytes = eight { Bytes(values[$0]) }
        data = eight { Data(values[$0]) }
        arrays = eight { values[$0] }
    }

    /// The bytes of one value, in memory that is never freed.
    @inline(__always)
    func buffer(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: baseline[index].bytes, count: baseline[index].count)
    }

    /// Eight decoded values.
    func values<T: ByteDecodable>(_ type: T.Type) -> UnsafePointer<T> {
        eight { index in
            do {
                return try SerDe.deserialize(arrays[index], surplus: .ignore)
            } catch {
                preconditionFailure("\(type): \(error)")
            }
        }
    }
}

/// The inputs of all rows.
struct AllInputs {
    let u16 = Inputs(noise(2))
    let triple = Inputs(noise(3))
    let pair = Inputs(noise(3))
    let arrayPair = Inputs(noise(6))
    let array20 = Inputs(noise(20))
    let array244 = Inputs(noise(244))
    let short = Inputs(noise(1))
    // Every combination of flags, with 1 through 9 intervals; 5 through 20 bytes.
    let heartRate = Inputs([
        [0x10, 70] + intervals(2),
        [0x11, 71, 0] + intervals(1),
        [0x18, 72, 0xf4, 1] + intervals(1),
        [0x19, 73, 0, 0xf5, 1] + intervals(2),
        [0x10, 74] + intervals(9),
        [0x09, 75, 0, 0xf6, 1],
        [0x19, 76, 0, 0xf7, 1] + intervals(7),
        [0x18, 77, 0xf8, 1] + intervals(3),
    ])
}

/// Eight times a number of bytes that look like chance and are always the same.
private func noise(_ count: Int) -> [[UInt8]] {
    var state: UInt32 = 12345
    return (0..<8).map { _ in
        (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 16)
        }
    }
}

private func intervals(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { index -> [UInt8] in
        let interval = UInt16(800 + index * 7)
        return [UInt8(truncatingIfNeeded: interval), UInt8(interval >> 8)]
    }
}
