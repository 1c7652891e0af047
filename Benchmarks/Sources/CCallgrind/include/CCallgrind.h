// SPDX-License-Identifier: MIT

// Where callgrind counts in a program that it runs with --instr-atstart=no; nothing happens elsewhere.
#pragma once

// From here on callgrind counts.
void callgrind_window_begins(void);

// Callgrind writes the count since the beginning, or since the part before, into a file of its own.
void callgrind_part_ends(void);

// From here on callgrind counts no more.
void callgrind_window_ends(void);
