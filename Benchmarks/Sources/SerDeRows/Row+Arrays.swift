// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation

extension Row {
    static func arrays(_ inputs: AllInputs) -> [Row] {
        [("20 B", inputs.array20), ("244 B", inputs.array244)].flatMap { name, inputs in
            [
                Row("decode \(name) from [UInt8] to [Int16]") { [arrays = inputs.arrays] times in
                    loop(times) { consume(try? SerDe.deserialize(arrays[$0], as: Samples.self)) }
                },
                Row("decode \(name) from Data to [Int16]") { [data = inputs.data] times in
                    loop(times) { consume(try? SerDe.deserialize(data[$0], as: Samples.self)) }
                },
            ]
        }
    }

    static func rawProtocols(_ inputs: AllInputs) -> [Row] {
        raw("Int8 x3", RawTriple.self, inputs.triple)
            + raw("pair", RawPair.self, inputs.pair)
            + raw("array pair", RawArrayPair.self, inputs.arrayPair)
    }

    @inline(__always)
    private static func raw<T: CharacteristicValue>(_ name: String, _ type: T.Type, _ inputs: Inputs) -> [Row] {
        let data = inputs.data
        return [
            Row("decode \(name) by raw protocol, from Data") { times in
                loop(times) { consume(try? SerDe.deserialize(data[$0], as: T.self)) }
            }
        ]
    }
}
