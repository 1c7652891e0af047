// SPDX-License-Identifier: MIT

// What the rows in Swift are held against: the same work in C, called across translation units.
#pragma once

#include <stddef.h>
#include <stdint.h>

// MARK: The harness

// Between these two callgrind counts: it is told their names.
void benchmark_row_begins(void);
void benchmark_row_ends(void);

// Heap allocations of this process so far: calls of malloc, calloc, realloc and the aligned ones.
uint64_t benchmark_allocations(void);

// Takes a value in a way that the optimizer cannot see through, so that the value has to be made.
void benchmark_consume(const void *value);

// MARK: The values

typedef struct {
    const uint8_t *bytes;
    size_t count;
} BaselineInput;

typedef struct {
    int8_t x, y, z;
} BaselineTriple;

typedef struct {
    uint8_t first;
    int16_t second;
} BaselinePair;

typedef struct {
    uint8_t first[2];
    int16_t second[2];
} BaselineArrayPair;

typedef struct {
    uint8_t flags;
    uint8_t interval_count;
    uint16_t beats;
    uint16_t energy;
    uint16_t intervals[9];
} BaselineHeartRate;

// MARK: The functions

// Decoding returns 0, or -1 when bytes are missing; the array's returns the number of elements.
int baseline_decode_u16(const uint8_t *bytes, size_t count, uint16_t *value);
int baseline_decode_triple(const uint8_t *bytes, size_t count, BaselineTriple *value);
int baseline_decode_pair(const uint8_t *bytes, size_t count, BaselinePair *value);
int baseline_decode_array_pair(const uint8_t *bytes, size_t count, BaselineArrayPair *value);
int baseline_decode_array(const uint8_t *bytes, size_t count, int16_t *values, size_t capacity);
int baseline_decode_heart_rate(const uint8_t *bytes, size_t count, BaselineHeartRate *value);

// Encoding returns the number of bytes, or -1 when the room does not do.
int baseline_encode_u16(uint16_t value, uint8_t *room, size_t capacity);
int baseline_encode_triple(const BaselineTriple *value, uint8_t *room, size_t capacity);
int baseline_encode_pair(const BaselinePair *value, uint8_t *room, size_t capacity);
int baseline_encode_array_pair(const BaselineArrayPair *value, uint8_t *room, size_t capacity);
int baseline_encode_array(const int16_t *values, size_t count, uint8_t *room, size_t capacity);
int baseline_encode_heart_rate(const BaselineHeartRate *value, uint8_t *room, size_t capacity);

// MARK: The loops

// Each calls one of the functions `times` times over eight inputs in turn, and returns what depends on all results.
uint64_t baseline_loop_empty(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_decode_u16(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_decode_triple(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_decode_pair(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_decode_array_pair(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_decode_array(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_decode_heart_rate(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_encode_u16(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_encode_triple(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_encode_pair(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_encode_array_pair(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_encode_array(const BaselineInput *inputs, uint64_t times);
uint64_t baseline_loop_encode_heart_rate(const BaselineInput *inputs, uint64_t times);
