// SPDX-License-Identifier: MIT

// The loops are the same as those in Swift: eight inputs in turn, and every result handed to an opaque function.
#include "CBaseline.h"

#define DECODE_LOOP(NAME, TYPE) \
    uint64_t baseline_loop_decode_##NAME(const BaselineInput *inputs, uint64_t times) { \
        uint64_t sum = 0; \
        for (uint64_t index = 0; index < times; index++) { \
            const BaselineInput *input = &inputs[index & 7]; \
            TYPE value; \
            if (baseline_decode_##NAME(input->bytes, input->count, &value) == 0) benchmark_consume(&value); \
        } \
        return sum; \
    }

DECODE_LOOP(triple, BaselineTriple)
DECODE_LOOP(pair, BaselinePair)
DECODE_LOOP(array_pair, BaselineArrayPair)
DECODE_LOOP(heart_rate, BaselineHeartRate)

uint64_t baseline_loop_empty(const BaselineInput *inputs, uint64_t times) {
    uint64_t sum = 0;
    for (uint64_t index = 0; index < times; index++) {
        const BaselineInput *input = &inputs[index & 7];
        sum += input->count;
        benchmark_consume(input->bytes);
    }
    return sum;
}

uint64_t baseline_loop_decode_u16(const BaselineInput *inputs, uint64_t times) {
    uint64_t sum = 0;
    for (uint64_t index = 0; index < times; index++) {
        const BaselineInput *input = &inputs[index & 7];
        uint16_t value;
        if (baseline_decode_u16(input->bytes, input->count, &value) == 0) sum += value;
    }
    return sum;
}

uint64_t baseline_loop_decode_array(const BaselineInput *inputs, uint64_t times) {
    uint64_t sum = 0;
    for (uint64_t index = 0; index < times; index++) {
        const BaselineInput *input = &inputs[index & 7];
        int16_t values[256];
        if (baseline_decode_array(input->bytes, input->count, values, 256) >= 0) benchmark_consume(values);
    }
    return sum;
}

#define ENCODE_LOOP(NAME, TYPE, ARGUMENT) \
    uint64_t baseline_loop_encode_##NAME(const BaselineInput *inputs, uint64_t times) { \
        TYPE values[8]; \
        for (int index = 0; index < 8; index++) \
            baseline_decode_##NAME(inputs[index].bytes, inputs[index].count, &values[index]); \
        uint8_t room[512]; \
        uint64_t sum = 0; \
        for (uint64_t index = 0; index < times; index++) { \
            sum += (uint64_t)baseline_encode_##NAME(ARGUMENT values[index & 7], room, sizeof room); \
            benchmark_consume(room); \
        } \
        return sum; \
    }

ENCODE_LOOP(u16, uint16_t, )
ENCODE_LOOP(triple, BaselineTriple, &)
ENCODE_LOOP(pair, BaselinePair, &)
ENCODE_LOOP(array_pair, BaselineArrayPair, &)
ENCODE_LOOP(heart_rate, BaselineHeartRate, &)

uint64_t baseline_loop_encode_array(const BaselineInput *inputs, uint64_t times) {
    static int16_t values[8][256];
    size_t counts[8];
    for (int index = 0; index < 8; index++)
        counts[index] = (size_t)baseline_decode_array(inputs[index].bytes, inputs[index].count, values[index], 256);
    uint8_t room[512];
    uint64_t sum = 0;
    for (uint64_t index = 0; index < times; index++) {
        sum += (uint64_t)baseline_encode_array(values[index & 7], counts[index & 7], room, sizeof room);
        benchmark_consume(room);
    }
    return sum;
}
