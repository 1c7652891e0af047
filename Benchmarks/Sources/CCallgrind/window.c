// SPDX-License-Identifier: MIT

#include "CCallgrind.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void callgrind_window_begins(void) {
    CALLGRIND_ZERO_STATS;
    CALLGRIND_START_INSTRUMENTATION;
}

void callgrind_part_ends(void) { CALLGRIND_DUMP_STATS; }

void callgrind_window_ends(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
void callgrind_window_begins(void) {}
void callgrind_part_ends(void) {}
void callgrind_window_ends(void) {}
#endif
