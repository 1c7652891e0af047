// SPDX-License-Identifier: MIT

// Every function checks the length once, as a careful C programmer would, and copies in the byte order of Bluetooth.
#include "CBaseline.h"

#include <string.h>

static inline uint16_t little_endian(uint16_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap16(value);
#else
    return value;
#endif
}

static inline uint16_t load(const uint8_t *bytes) {
    uint16_t value;
    memcpy(&value, bytes, 2);
    return little_endian(value);
}

static inline void store(uint8_t *room, uint16_t value) {
    value = little_endian(value);
    memcpy(room, &value, 2);
}

int baseline_decode_u16(const uint8_t *bytes, size_t count, uint16_t *value) {
    if (count < 2) return -1;
    *value = load(bytes);
    return 0;
}

int baseline_decode_triple(const uint8_t *bytes, size_t count, BaselineTriple *value) {
    if (count < 3) return -1;
    value->x = (int8_t)bytes[0];
    value->y = (int8_t)bytes[1];
    value->z = (int8_t)bytes[2];
    return 0;
}

int baseline_decode_pair(const uint8_t *bytes, size_t count, BaselinePair *value) {
    if (count < 3) return -1;
    value->first = bytes[0];
    value->second = (int16_t)load(bytes + 1);
    return 0;
}

int baseline_decode_array_pair(const uint8_t *bytes, size_t count, BaselineArrayPair *value) {
    if (count < 6) return -1;
    value->first[0] = bytes[0];
    value->first[1] = bytes[1];
    value->second[0] = (int16_t)load(bytes + 2);
    value->second[1] = (int16_t)load(bytes + 4);
    return 0;
}

int baseline_decode_array(const uint8_t *bytes, size_t count, int16_t *values, size_t capacity) {
    size_t elements = count / 2;
    if (elements > capacity) return -1;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t index = 0; index < elements; index++) values[index] = (int16_t)load(bytes + 2 * index);
#else
    memcpy(values, bytes, elements * 2);
#endif
    return (int)elements;
}

int baseline_decode_heart_rate(const uint8_t *bytes, size_t count, BaselineHeartRate *value) {
    const uint8_t *end = bytes + count;
    if (count < 2) return -1;
    uint8_t flags = *bytes++;
    value->flags = flags;
    if (flags & 0x01) {
        if (end - bytes < 2) return -1;
        value->beats = load(bytes);
        bytes += 2;
    } else {
        value->beats = *bytes++;
    }
    value->energy = 0;
    if (flags & 0x08) {
        if (end - bytes < 2) return -1;
        value->energy = load(bytes);
        bytes += 2;
    }
    uint8_t intervals = 0;
    if (flags & 0x10) {
        while (end - bytes >= 2 && intervals < 9) {
            value->intervals[intervals++] = load(bytes);
            bytes += 2;
        }
    }
    value->interval_count = intervals;
    return 0;
}

int baseline_encode_u16(uint16_t value, uint8_t *room, size_t capacity) {
    if (capacity < 2) return -1;
    store(room, value);
    return 2;
}

int baseline_encode_triple(const BaselineTriple *value, uint8_t *room, size_t capacity) {
    if (capacity < 3) return -1;
    room[0] = (uint8_t)value->x;
    room[1] = (uint8_t)value->y;
    room[2] = (uint8_t)value->z;
    return 3;
}

int baseline_encode_pair(const BaselinePair *value, uint8_t *room, size_t capacity) {
    if (capacity < 3) return -1;
    room[0] = value->first;
    store(room + 1, (uint16_t)value->second);
    return 3;
}

int baseline_encode_array_pair(const BaselineArrayPair *value, uint8_t *room, size_t capacity) {
    if (capacity < 6) return -1;
    room[0] = value->first[0];
    room[1] = value->first[1];
    store(room + 2, (uint16_t)value->second[0]);
    store(room + 4, (uint16_t)value->second[1]);
    return 6;
}

int baseline_encode_array(const int16_t *values, size_t count, uint8_t *room, size_t capacity) {
    if (capacity < 2 * count) return -1;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t index = 0; index < count; index++) store(room + 2 * index, (uint16_t)values[index]);
#else
    memcpy(room, values, 2 * count);
#endif
    return (int)(2 * count);
}

int baseline_encode_heart_rate(const BaselineHeartRate *value, uint8_t *room, size_t capacity) {
    uint8_t flags = value->flags;
    size_t needed = 1 + ((flags & 0x01) ? 2 : 1) + ((flags & 0x08) ? 2 : 0);
    if (flags & 0x10) needed += 2 * (size_t)value->interval_count;
    if (capacity < needed) return -1;
    *room++ = flags;
    if (flags & 0x01) {
        store(room, value->beats);
        room += 2;
    } else {
        *room++ = (uint8_t)value->beats;
    }
    if (flags & 0x08) {
        store(room, value->energy);
        room += 2;
    }
    if (flags & 0x10) {
        for (int index = 0; index < value->interval_count; index++) {
            store(room, value->intervals[index]);
            room += 2;
        }
    }
    return (int)needed;
}
