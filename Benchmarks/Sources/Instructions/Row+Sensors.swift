// SPDX-License-Identifier: MIT

import BlueCap
import CBaseline
import SerDeRows

extension Row {
    /// The look for the format of a sensor, which a scan takes for each packet.
    static func sensors() -> [Row] {
        let names: [String?] = ["Kitchen", nil]
        let frames = (0..<8).map { (index: UInt8) in
            PeripheralAdvertisements(
                localName: names[Int(index) % 2],
                manufacturerData: [0xEC88: [0x00, 0xC4 &+ index, 0x0A, 0x8D, 0x13, 0x64, 0x02]])
        }
        let others = (0..<8).map { (index: UInt8) in
            PeripheralAdvertisements(
                localName: names[Int(index) % 2], manufacturerData: [0x004C: [0x10, 0x05, index, 0x18, 0x0A, 0x2B]],
                serviceData: index < 4 ? [:] : ["FEF3": [0x4A, 0x17, index]])
        }
        return [
            Row("read a sensor's frame of three values") { times in reading(frames, times) },
            Row("look at a packet of no known format") { times in reading(others, times) },
        ]
    }

    private static func reading(_ advertisements: [PeripheralAdvertisements], _ times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for index in 0..<times {
            let reading = SensorReading(advertisements[index & 7])
            withUnsafePointer(to: reading) { benchmark_consume($0) }
            sum &+= UInt64(reading?.values.count ?? 1)
        }
        return sum
    }
}
