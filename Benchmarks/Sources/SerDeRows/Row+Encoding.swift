// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import CBaseline
import Foundation

extension Row {
    static func encoding(_ inputs: AllInputs) -> [Row] {
        value("u16", inputs.u16.values(UInt16.self))
            + value("Int8 x3", inputs.triple.values(Triple.self))
            + value("pair", inputs.pair.values(Pair.self))
            + value("array pair", inputs.arrayPair.values(ArrayPair.self))
            + value("Heart Rate", inputs.heartRate.values(HeartRate.self))
            + value("Heart Rate profile", inputs.heartRate.values(HeartRateService.Measurement.self))
            + value("20 B", inputs.array20.values(Samples.self))
            + value("244 B", inputs.array244.values(Samples.self))
    }

    @inline(__always)
    private static func value<T: ByteEncodable>(_ name: String, _ values: UnsafePointer<T>) -> [Row] {
        [
            Row("encode \(name) to a buffer") { times in
                withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { room in
                    loop(times) { index in
                        var output = OutputRawSpan(buffer: room, initializedCount: 0)
                        values[index].encode(into: &output)
                        let count = output.finalize(for: room)
                        benchmark_consume(room.baseAddress)
                        return UInt64(count)
                    }
                }
            },
            Row("encode \(name) to Bytes") { times in loop(times) { consume(SerDe.serialize(values[$0])) } },
            Row("encode \(name) to Data") { times in
                loop(times) { index in
                    let data = SerDe.serialize(values[index], as: Data.self)
                    return consume(data) &+ UInt64(truncatingIfNeeded: data.count)
                }
            },
        ]
    }
}
