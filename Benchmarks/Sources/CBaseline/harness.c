// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CBaseline.h"

#include <errno.h>

#if defined(__linux__)
// The program's own malloc family counts, and passes on to glibc's. Only one thread of the program allocates while a row
// runs, so that a plain counter does.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static uint64_t allocations;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations++;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    allocations++;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

uint64_t benchmark_allocations(void) { return allocations; }
#else
uint64_t benchmark_allocations(void) { return 0; }
#endif

// Assembly that might do anything keeps the calls of these.
__attribute__((noinline)) void benchmark_row_begins(void) { __asm__ volatile("" : : : "memory"); }
__attribute__((noinline)) void benchmark_row_ends(void) { __asm__ volatile("" : : : "memory"); }
__attribute__((noinline)) void benchmark_consume(const void *value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}
