// SPDX-License-Identifier: MIT

import CBaseline

extension Row {
    static func baselines(_ inputs: AllInputs) -> [Row] {
        [
            Row("nothing in C", baseline_loop_empty, inputs.u16),
            Row("decode u16 in C", baseline_loop_decode_u16, inputs.u16),
            Row("decode Int8 x3 in C", baseline_loop_decode_triple, inputs.triple),
            Row("decode pair in C", baseline_loop_decode_pair, inputs.pair),
            Row("decode array pair in C", baseline_loop_decode_array_pair, inputs.arrayPair),
            Row("decode Heart Rate in C", baseline_loop_decode_heart_rate, inputs.heartRate),
            Row("decode 20 B in C", baseline_loop_decode_array, inputs.array20),
            Row("decode 244 B in C", baseline_loop_decode_array, inputs.array244),
            Row("encode u16 in C", baseline_loop_encode_u16, inputs.u16),
            Row("encode Int8 x3 in C", baseline_loop_encode_triple, inputs.triple),
            Row("encode pair in C", baseline_loop_encode_pair, inputs.pair),
            Row("encode array pair in C", baseline_loop_encode_array_pair, inputs.arrayPair),
            Row("encode Heart Rate in C", baseline_loop_encode_heart_rate, inputs.heartRate),
            Row("encode 20 B in C", baseline_loop_encode_array, inputs.array20),
            Row("encode 244 B in C", baseline_loop_encode_array, inputs.array244),
        ]
    }
}
