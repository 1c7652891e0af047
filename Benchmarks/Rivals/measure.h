// SPDX-License-Identifier: MIT

// What a C client measures of itself, and how it says so: `pipeline` gives it a work, a count and how many at once, waits
// for the word "go", makes the peer send, and reads one line of JSON.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct {
    const char *work;
    long count, at_once;
    // Filled while the work is done.
    long done, wrong;
    double cpu, first, last, *latencies;
} Measurement;

static inline double now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static inline double cpu_us(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static inline Measurement measurement(int count, char **arguments) {
    Measurement made = {.work = count > 1 ? arguments[1] : "", .at_once = 1};
    if (count > 2) made.count = atol(arguments[2]);
    if (count > 3) made.at_once = atol(arguments[3]);
    if (made.count < 1 || made.at_once < 1) {
        fprintf(stderr, "usage: %s WORK COUNT [AT_ONCE]\n", arguments[0]);
        exit(2);
    }
    made.latencies = calloc(made.count, sizeof(double));
    if (!made.latencies) exit(1);
    return made;
}

// From here on the work counts.
static inline void begin(Measurement *made) {
    made->cpu = cpu_us();
    made->first = now_us();
    puts("go");
    fflush(stdout);
}

// A value of a notification, whose first bytes are its number.
static inline void count_value(Measurement *made, const void *value, size_t size) {
    uint32_t number = UINT32_MAX;
    if (size >= 4) memcpy(&number, value, 4);
    if (number != (uint32_t)made->done) made->wrong++;
    made->done++;
}

static inline int by_size(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static inline void report(Measurement *made) {
    made->cpu = cpu_us() - made->cpu;
    made->last = now_us();
    qsort(made->latencies, made->done < made->count ? made->done : made->count, sizeof(double), by_size);
    printf("{\"count\": %ld, \"cpu_us\": %.1f, \"wall_us\": %.1f, \"p50_us\": %.2f, \"wrong\": %ld}\n", made->done,
        made->cpu, made->last - made->first, made->latencies[made->count / 2], made->wrong);
}
